/*
 * libweatherd: a client of the internal API of weatherd for C99 and C++11. It uses libcurl.
 *
 *     weatherd *service = weatherd_connect("http://127.0.0.1:8081", NULL);
 *     if (service == NULL || weatherd_ping(service) != WEATHERD_OK) ...
 *     weatherd_post(service, &columns, &receipt);
 *     weatherd_close(service);
 *
 * Each function that returns an int returns WEATHERD_OK, which is 0, or another value of weatherd_result. After a failure,
 * weatherd_error describes it in a sentence. A `weatherd` object is one connection. Only one thread may use it at a time,
 * so create one object for each thread. If several threads use the library, call curl_global_init before they start.
 */
#ifndef WEATHERD_CLIENT_H
#define WEATHERD_CLIENT_H

#include "weatherd.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weatherd weatherd;

enum weatherd_result {
    WEATHERD_OK = 0,
    WEATHERD_UNREACHABLE = 1, /* there was no connection, or the connection broke */
    WEATHERD_REFUSED = 2,     /* the service refused the request: see weatherd_code and weatherd_error */
    WEATHERD_BROKEN = 3,      /* the reply was not a complete body of frames */
    WEATHERD_NO_MEMORY = 4,
    WEATHERD_STOPPED = 5,     /* a callback stopped the call */
    WEATHERD_INVALID = 6      /* an argument cannot be sent */
};

/*
 * Creates a client. It connects when it is first used. `url` is http://HOST:PORT, or unix:/PATH for a Unix domain socket.
 * `secret` is the value of WEATHERD_INTERNAL_SECRET of the service, or NULL without a secret. Returns NULL if there is no
 * memory.
 */
weatherd *weatherd_connect(const char *url, const char *secret);

/* Closes the connection and frees the client. NULL is allowed. */
void weatherd_close(weatherd *service);

/* Checks whether the service is alive. The URL may be the URL of the internal or of the external API. */
int weatherd_ping(weatherd *service);

/* A sentence about the failure of the last call; empty after a successful call. It is valid until the next call. */
const char *weatherd_error(const weatherd *service);

/*
 * The error code of the last WEATHERD_REFUSED (STATION_UNKNOWN, FRAME_INVALID …), or "". It is valid until the next call.
 */
const char *weatherd_code(const weatherd *service);

/* Rows as columns: row i is station[i] at time[i] with value[column][i] of variable[column]; NaN is a missing value. */
typedef struct weatherd_columns {
    uint64_t rows; /* the rows may have up to 4 GiB (40 million rows of 12 variables) */
    const uint32_t *station;
    const int64_t *time; /* milliseconds since 1970-01-01T00:00:00Z */
    uint32_t columns;
    const uint16_t *variable;
    const double *const *value;
} weatherd_columns;

/* Maximum number of rejections in a receipt. */
#define WEATHERD_LISTED 1000

typedef struct weatherd_receipt {
    uint64_t inserted;
    uint64_t updated;
    uint64_t unchanged;
    uint64_t rejected;
    uint32_t listed;
    wxf_rejection rejection[WEATHERD_LISTED];
} weatherd_receipt;

/*
 * Writes rows, which may be in any order. WEATHERD_OK: the rows are on disk, except the rejected rows in the receipt.
 * Sending the same rows again changes nothing, so after a failure all rows can be sent again. `receipt` may be NULL; after
 * a failure all its fields are zero.
 */
int weatherd_post(weatherd *service, const weatherd_columns *columns, weatherd_receipt *receipt);

/*
 * The rows to read. If all fields are zero, all rows are read. The service refuses unknown numbers of stations and
 * variables. More than 1,000 stations are read with several requests for 1,000 stations each, in the given order; within a
 * request, stations are sorted by number. Rows that are written in the meantime can be in some of the replies.
 */
typedef struct weatherd_query {
    const uint32_t *station; /* numbers of stations without repetition; NULL: all stations */
    size_t stations;
    const uint16_t *variable; /* variables of the columns in this order; NULL: the variables that have a value in the frame */
    size_t variables;
    int64_t from; /* first time in milliseconds since 1970-01-01T00:00:00Z; if `from` and `to` are 0: all times */
    int64_t to;   /* end of the times, not included; 0: no end */
    int quality;  /* 1: the frames have a quality byte for each value */
} weatherd_query;

/*
 * Called with each row, in order of station and time. `rows` is valid until the callback returns. A return value other than
 * 0 stops the call. A callback must not use the client that called it (WEATHERD_INVALID), and must not throw exceptions.
 */
typedef int (*weatherd_row)(void *user, const wxf_observations *rows, uint32_t row);

/* Called with each frame of rows, which is faster than one call for each row. The same rules apply. */
typedef int (*weatherd_rows)(void *user, const wxf_observations *rows);

/* Reads rows. After a failure, the rows that the callback has received are correct, but some rows are missing. */
int weatherd_get(weatherd *service, const weatherd_query *query, weatherd_row callback, void *user);
int weatherd_get_frames(weatherd *service, const weatherd_query *query, weatherd_rows callback, void *user);

/* Reads the newest row of each given station. If `station` is NULL, it reads the newest rows of all stations. */
int weatherd_newest(weatherd *service, const uint32_t *station, size_t stations, weatherd_row callback, void *user);

typedef int (*weatherd_station)(void *user, const wxf_station *station);

/* Lists all stations, sorted by number. */
int weatherd_stations(weatherd *service, weatherd_station callback, void *user);

/* Maximum number of stations in a call. */
#define WEATHERD_MAX_STATIONS 10000

/*
 * Creates stations, or changes existing stations with the same id. After a failure no station has changed. Position,
 * elevation (NaN: unknown) and name of a station are set to the values of its record. The number in a record must be 0 or
 * the number of the station with this id. The records are updated with the stored stations.
 */
int weatherd_put_stations(weatherd *service, wxf_station *stations, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
