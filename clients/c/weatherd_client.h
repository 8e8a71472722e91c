/*
 * libweatherd: a client of the internal API of weatherd, on libcurl. C99 and C++11.
 *
 *     weatherd *service = weatherd_connect("http://127.0.0.1:8081", NULL);
 *     if (service == NULL || weatherd_ping(service) != WEATHERD_OK) ...
 *     weatherd_post(service, &columns, &receipt);
 *     weatherd_close(service);
 *
 * Every function that returns an int returns WEATHERD_OK, which is 0, or one of weatherd_result; weatherd_error then says
 * what went wrong in a sentence. A `weatherd` holds one connection and is for one thread at a time; make one for each.
 * When several threads use the library, call curl_global_init before they begin.
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
    WEATHERD_REFUSED = 2,     /* the service says no: weatherd_code and weatherd_error say why */
    WEATHERD_BROKEN = 3,      /* what came was no whole body of frames */
    WEATHERD_NO_MEMORY = 4,
    WEATHERD_STOPPED = 5,     /* a callback of yours wanted no more */
    WEATHERD_INVALID = 6      /* something that you gave cannot be sent */
};

/*
 * Prepares a client; connects when it is first used. `url` is http://HOST:PORT, or unix:/PATH for a Unix domain socket.
 * `secret` is what WEATHERD_INTERNAL_SECRET is, or NULL where there is none. NULL when there is no memory.
 */
weatherd *weatherd_connect(const char *url, const char *secret);

/* Ends the connection and frees all of it. NULL is allowed. */
void weatherd_close(weatherd *service);

/* Whether a weatherd is there and alive. It does not tell which of its two APIs answers. */
int weatherd_ping(weatherd *service);

/* What the last call failed of, in a sentence; empty after one that did not. Valid until the next call. */
const char *weatherd_error(const weatherd *service);

/* The code of the last WEATHERD_REFUSED (STATION_UNKNOWN, FRAME_INVALID …), or "". Valid until the next call. */
const char *weatherd_code(const weatherd *service);

/* Rows as columns: row i is station[i] at time[i] with value[column][i] of variable[column], NaN where there is nothing. */
typedef struct weatherd_columns {
    uint64_t rows; /* up to 4 GiB of them, 40 million of 12 variables: they go out in frames */
    const uint32_t *station;
    const int64_t *time; /* milliseconds since 1970-01-01T00:00:00Z */
    uint32_t columns;
    const uint16_t *variable;
    const double *const *value;
} weatherd_columns;

/* Rejected rows that are listed, at most. */
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
 * Writes rows, in any order. WEATHERD_OK: they are on disk, but for those that the receipt rejects. Sending the same rows
 * again changes nothing, so that after a failure all of them can be sent again. `receipt` may be NULL; it is all zero after a
 * failure.
 */
int weatherd_post(weatherd *service, const weatherd_columns *columns, weatherd_receipt *receipt);

/*
 * What to read. All zero: everything. A number that no station or no variable has is refused. More than 1,000 stations are
 * asked for 1,000 at a time, in the order given and by number within each thousand; what is written meanwhile may be in some
 * of the replies.
 */
typedef struct weatherd_query {
    const uint32_t *station; /* numbers, each once; NULL: all */
    size_t stations;
    const uint16_t *variable; /* the columns, in this order; NULL: in each frame those that have a value */
    size_t variables;
    int64_t from; /* milliseconds since 1970-01-01T00:00:00Z; all times where this and `to` are 0 */
    int64_t to;   /* not included; 0: no end */
    int quality;  /* 1: a byte of quality for each value */
} weatherd_query;

/*
 * Is given each row in turn, by station and time; `rows` is valid only until it returns. Not 0: no more. Callbacks make no
 * calls with the client that called them (WEATHERD_INVALID), and throw no exceptions through it.
 */
typedef int (*weatherd_row)(void *user, const wxf_observations *rows, uint32_t row);

/* Is given a frame of rows at a time, which is quicker; likewise. */
typedef int (*weatherd_rows)(void *user, const wxf_observations *rows);

/* Reads rows. What the callbacks have seen before a failure is right, and not all. */
int weatherd_get(weatherd *service, const weatherd_query *query, weatherd_row callback, void *user);
int weatherd_get_frames(weatherd *service, const weatherd_query *query, weatherd_rows callback, void *user);

/* The newest row of each station (NULL: of all). */
int weatherd_newest(weatherd *service, const uint32_t *station, size_t stations, weatherd_row callback, void *user);

typedef int (*weatherd_station)(void *user, const wxf_station *station);

/* Lists all stations, by number. */
int weatherd_stations(weatherd *service, weatherd_station callback, void *user);

/* Stations of one call, at most. */
#define WEATHERD_MAX_STATIONS 10000

/*
 * Makes stations or changes them, matched by id, all or none, and fills the records with what they are now. A number is 0 or
 * that of the station with this id. Position, elevation (NaN: unknown from now on) and name become what the records say.
 */
int weatherd_put_stations(weatherd *service, wxf_station *stations, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
