/*
 * libweatherd: a client of the internal API of weatherd, on libcurl. C99 and C++11.
 *
 *     weatherd *service = weatherd_connect("http://127.0.0.1:8081", NULL);
 *     if (service == NULL || weatherd_ping(service) != WEATHERD_OK) ...
 *     weatherd_post(service, &columns, &receipt);
 *     weatherd_close(service);
 *
 * Every function that returns an int returns WEATHERD_OK, which is 0, or one of weatherd_result; weatherd_error then
 * describes the failure in a sentence. A `weatherd` is one connection, which only one thread may use at a time; create one
 * for each thread. If several threads use the library, call curl_global_init before they start.
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
    WEATHERD_UNREACHABLE = 1, /* no connection, or it broke */
    WEATHERD_REFUSED = 2,     /* the service refused it: see weatherd_code and weatherd_error */
    WEATHERD_BROKEN = 3,      /* the reply was not a complete body of frames */
    WEATHERD_NO_MEMORY = 4,
    WEATHERD_STOPPED = 5,     /* a callback ended the call */
    WEATHERD_INVALID = 6      /* an argument cannot be sent */
};

/*
 * Creates a client, which connects at its first use. `url` is http://HOST:PORT, or unix:/PATH for a Unix domain socket.
 * `secret` is the value of WEATHERD_INTERNAL_SECRET, or NULL if there is none. Returns NULL if there is no memory.
 */
weatherd *weatherd_connect(const char *url, const char *secret);

/* Closes the connection and frees the client. NULL is allowed. */
void weatherd_close(weatherd *service);

/* Whether a weatherd replies and is alive. It may be either of its two APIs. */
int weatherd_ping(weatherd *service);

/* Why the last call failed, in a sentence; empty after a successful call. Valid until the next call. */
const char *weatherd_error(const weatherd *service);

/* The code of the last WEATHERD_REFUSED (STATION_UNKNOWN, FRAME_INVALID …), or "". Valid until the next call. */
const char *weatherd_code(const weatherd *service);

/* Rows as columns: row i is station[i] at time[i] with value[column][i] of variable[column]; NaN: absent. */
typedef struct weatherd_columns {
    uint64_t rows; /* up to 4 GiB (40 million rows of 12 variables); sent in frames */
    const uint32_t *station;
    const int64_t *time; /* milliseconds since 1970-01-01T00:00:00Z */
    uint32_t columns;
    const uint16_t *variable;
    const double *const *value;
} weatherd_columns;

/* Largest number of listed rejected rows. */
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
 * Writes rows, in any order. WEATHERD_OK: they are on disk, except those that the receipt rejects. Sending the same rows
 * again changes nothing, so after a failure all of them can be sent again. `receipt` may be NULL; after a failure all its
 * fields are zero.
 */
int weatherd_post(weatherd *service, const weatherd_columns *columns, weatherd_receipt *receipt);

/*
 * The rows to read. All fields zero: all rows. Unknown numbers of stations or variables are refused. More than 1,000
 * stations are read with several requests, 1,000 at a time in the given order, and sorted by number within each thousand.
 * Rows that are written meanwhile may be in some of the replies.
 */
typedef struct weatherd_query {
    const uint32_t *station; /* numbers, each once; NULL: all */
    size_t stations;
    const uint16_t *variable; /* the columns, in this order; NULL: the variables that have a value in the frame */
    size_t variables;
    int64_t from; /* milliseconds since 1970-01-01T00:00:00Z; if this and `to` are 0: all times */
    int64_t to;   /* not included; 0: no end */
    int quality;  /* 1: a byte of quality for each value */
} weatherd_query;

/*
 * Receives each row, in order of station and time. `rows` is valid only until it returns. A return value other than 0
 * ends the call. A callback must not call the client that called it (WEATHERD_INVALID), and must not throw exceptions.
 */
typedef int (*weatherd_row)(void *user, const wxf_observations *rows, uint32_t row);

/* Receives one frame of rows at a time, which is faster. The same rules apply. */
typedef int (*weatherd_rows)(void *user, const wxf_observations *rows);

/* Reads rows. After a failure, the rows that the callback has received are right, but not complete. */
int weatherd_get(weatherd *service, const weatherd_query *query, weatherd_row callback, void *user);
int weatherd_get_frames(weatherd *service, const weatherd_query *query, weatherd_rows callback, void *user);

/* Reads the newest row of each station (NULL: all stations). */
int weatherd_newest(weatherd *service, const uint32_t *station, size_t stations, weatherd_row callback, void *user);

typedef int (*weatherd_station)(void *user, const wxf_station *station);

/* Lists all stations, sorted by number. */
int weatherd_stations(weatherd *service, weatherd_station callback, void *user);

/* Largest number of stations in a call. */
#define WEATHERD_MAX_STATIONS 10000

/*
 * Creates stations or changes existing ones, matched by id, all or none, and updates the records. A number must be 0 or the
 * number of the station with this id. Position, elevation (NaN: unknown) and name are set to those of the record.
 */
int weatherd_put_stations(weatherd *service, wxf_station *stations, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
