/*
 * Tests of libweatherd with a running service that has no data.
 *
 *     client URL [SECRET]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "weatherd_client.h"

#define CHECK(condition) ((condition) ? (void)0 : fail(#condition, __LINE__))
#define ROWS 20000u
#define START INT64_C(1704067200000)
#define MINUTE 60000

static weatherd *service;

static void fail(const char *what, int line) {
    fprintf(stderr, "client.c:%d: This is false: %s\n%s\n", line, what, service == NULL ? "" : weatherd_error(service));
    exit(1);
}

typedef struct seen {
    uint64_t rows;
    uint64_t frames;
    uint32_t station;
    int64_t last;
    uint64_t limit; /* number of rows after which the callback stops the call; 0: never */
    double sum[2];
    uint64_t absent;
    int quality;
} seen;

static int see(void *user, const wxf_observations *rows, uint32_t row) {
    seen *all = (seen *)user;
    const double first = wxf_value(rows, 0, row), second = rows->columns > 1 ? wxf_value(rows, 1, row) : 0;
    CHECK(all->rows == 0 || rows->time[row] > all->last);
    all->rows += 1;
    all->station = rows->station[row];
    all->last = rows->time[row];
    if (isnan(first)) all->absent += 1;
    else all->sum[0] += first;
    if (isnan(second)) all->absent += 1;
    else all->sum[1] += second;
    if (rows->quality != NULL) all->quality += wxf_qualities(rows, 0)[row] == WXF_FAIL;
    return all->rows == all->limit;
}

static int see_frame(void *user, const wxf_observations *rows) {
    seen *all = (seen *)user;
    all->frames += 1;
    all->rows += rows->rows;
    return 0;
}

static int count_station(void *user, const wxf_station *station) {
    seen *all = (seen *)user;
    all->rows += station->count;
    all->frames += 1;
    return 0;
}

static int stop_station(void *user, const wxf_station *station) {
    (void)user;
    (void)station;
    return 1;
}

static int call_again(void *user, const wxf_station *station) {
    (void)user;
    (void)station;
    CHECK(weatherd_ping(service) == WEATHERD_INVALID && strstr(weatherd_error(service), "callback") != NULL);
    return 1;
}

/* The sent rows. */
static uint32_t stations[ROWS];
static int64_t times[ROWS];
static double temperature[ROWS];
static double humidity[ROWS];

static void fill(uint32_t station) {
    uint32_t row;
    for (row = 0; row < ROWS; row += 1) {
        stations[row] = station;
        times[row] = START + (int64_t)row * MINUTE;
        temperature[row] = 10 + row % 7 * 0.5;
        humidity[row] = row % 5 == 0 ? (double)NAN : 50.0 + row % 3;
    }
}

int main(int argc, char **argv) {
    static const uint16_t variable[2] = { WXF_AIR_TEMPERATURE, WXF_RELATIVE_HUMIDITY };
    static const uint16_t unknown[1] = { 999 };
    static weatherd_receipt receipt;
    const double *value[2];
    const double *none[1];
    weatherd_columns columns;
    weatherd_query query = { 0 };
    wxf_station station[2];
    seen all;
    uint32_t number, row;
    static uint32_t many[5000];
    char code[56];

    CHECK(argc >= 2);
    service = weatherd_connect("http://127.0.0.1:1/", NULL);
    CHECK(service != NULL);
    CHECK(weatherd_ping(service) == WEATHERD_UNREACHABLE && strlen(weatherd_error(service)) > 10);
    weatherd_close(service);
    weatherd_close(NULL);
    service = weatherd_connect("unix:/nowhere/at/all", NULL);
    CHECK(service != NULL && weatherd_ping(service) == WEATHERD_UNREACHABLE);
    CHECK(strstr(weatherd_error(service), "unix:/nowhere/at/all") != NULL);
    weatherd_close(service);

    if (argc > 2) {
        service = weatherd_connect(argv[1], "wrong");
        CHECK(service != NULL && weatherd_stations(service, count_station, &all) == WEATHERD_REFUSED);
        CHECK(strcmp(weatherd_code(service), "AUTH_TOKEN_INVALID") == 0);
        CHECK(weatherd_ping(service) == WEATHERD_REFUSED && strcmp(weatherd_code(service), "AUTH_TOKEN_INVALID") == 0);
        CHECK(strstr(weatherd_error(service), "secret") != NULL && strchr(weatherd_error(service), '{') == NULL);
        weatherd_close(service);
    }
    service = weatherd_connect(argv[1], argc > 2 ? argv[2] : NULL);
    CHECK(service != NULL);
    CHECK(weatherd_ping(service) == WEATHERD_OK && weatherd_error(service)[0] == 0);

    CHECK(wxf_make_station(&station[0], "c-1", "A station of C's", 52.1, 5.2) == WXF_OK);
    CHECK(wxf_make_station(&station[1], "c-2", "\303\205s", -52.1, -5.2) == WXF_OK);
    station[1].elevation = 12.5;
    CHECK(weatherd_put_stations(service, station, 2) == WEATHERD_OK);
    number = station[0].number;
    CHECK(number != 0 && station[1].number != 0 && station[1].number != number);
    CHECK(isnan(station[0].elevation) && station[1].elevation == 12.5 && strcmp(station[1].name, "\303\205s") == 0);
    CHECK(station[0].count == 0 && station[0].first == WXF_NO_TIME);
    station[1].latitude = 91;
    CHECK(weatherd_put_stations(service, station, 2) == WEATHERD_REFUSED);
    CHECK(strcmp(weatherd_code(service), "REQUEST_INVALID") == 0 && strstr(weatherd_error(service), "Station 1") != NULL);
    CHECK(weatherd_put_stations(service, station, 0) == WEATHERD_OK);
    CHECK(weatherd_put_stations(service, station, WEATHERD_MAX_STATIONS + 1) == WEATHERD_INVALID);

    fill(number);
    temperature[17] = 99; /* fails quality control */
    value[0] = temperature;
    value[1] = humidity;
    columns.rows = ROWS;
    columns.station = stations;
    columns.time = times;
    columns.columns = 2;
    columns.variable = variable;
    columns.value = value;
    CHECK(weatherd_post(service, &columns, &receipt) == WEATHERD_OK);
    CHECK(receipt.inserted == ROWS && receipt.updated == 0 && receipt.unchanged == 0 && receipt.rejected == 0);
    CHECK(weatherd_post(service, &columns, NULL) == WEATHERD_OK);
    CHECK(weatherd_post(service, &columns, &receipt) == WEATHERD_OK && receipt.unchanged == ROWS);

    stations[3] = 4000000000u;
    times[ROWS - 1] = INT64_MAX;
    temperature[5] = INFINITY;
    CHECK(weatherd_post(service, &columns, &receipt) == WEATHERD_OK);
    CHECK(receipt.rejected == 3 && receipt.listed == 3 && receipt.unchanged == ROWS - 3);
    CHECK(receipt.rejection[0].row == 3 && receipt.rejection[0].reason == WXF_STATION_UNKNOWN);
    CHECK(receipt.rejection[1].row == 5 && receipt.rejection[1].variable == WXF_AIR_TEMPERATURE);
    CHECK(receipt.rejection[1].reason == WXF_VALUE_NOT_FINITE);
    CHECK(receipt.rejection[2].row == ROWS - 1 && receipt.rejection[2].reason == WXF_TIME_OUT_OF_RANGE);

    memset(&all, 0, sizeof all);
    CHECK(weatherd_get(service, &query, see, &all) == WEATHERD_OK);
    CHECK(all.rows == ROWS && all.station == number && all.last == START + (int64_t)(ROWS - 1) * MINUTE);
    CHECK(all.absent == ROWS / 5);
    memset(&all, 0, sizeof all);
    CHECK(weatherd_get_frames(service, &query, see_frame, &all) == WEATHERD_OK);
    CHECK(all.rows == ROWS && all.frames > 1);

    query.station = &number;
    query.stations = 1;
    query.variable = variable;
    query.variables = 1;
    query.from = START + 10 * MINUTE;
    query.to = START + 20 * MINUTE;
    query.quality = 1;
    memset(&all, 0, sizeof all);
    CHECK(weatherd_get(service, &query, see, &all) == WEATHERD_OK);
    CHECK(all.rows == 10 && all.absent == 0 && all.quality == 1 && all.sum[0] == 204);
    query.to = 0;
    memset(&all, 0, sizeof all);
    all.limit = 3;
    CHECK(weatherd_get(service, &query, see, &all) == WEATHERD_STOPPED && all.rows == 3);
    query.variable = unknown;
    CHECK(weatherd_get(service, &query, see, &all) == WEATHERD_REFUSED);
    (void)snprintf(code, sizeof code, "%s", weatherd_code(service));
    CHECK(strcmp(code, "REQUEST_INVALID") == 0);
    query.variables = 0;
    CHECK(weatherd_get(service, &query, see, &all) == WEATHERD_OK);
    CHECK(weatherd_error(service)[0] == 0 && weatherd_code(service)[0] == 0);
    for (row = 0; row < 5000; row += 1) many[row] = number;
    query.variable = NULL;
    query.station = many;
    query.stations = 5000;
    memset(&all, 0, sizeof all);
    CHECK(weatherd_get_frames(service, &query, see_frame, &all) == WEATHERD_OK);
    CHECK(all.rows == 5 * (ROWS - 10)); /* five requests, each for one station */

    memset(&all, 0, sizeof all);
    CHECK(weatherd_newest(service, NULL, 0, see, &all) == WEATHERD_OK && all.rows == 1 && all.last == times[ROWS - 2] + MINUTE);
    memset(&all, 0, sizeof all);
    CHECK(weatherd_newest(service, &number, 1, see, &all) == WEATHERD_OK && all.rows == 1);
    stations[0] = 12345;
    CHECK(weatherd_newest(service, stations, 1, see, &all) == WEATHERD_REFUSED);
    CHECK(strcmp(weatherd_code(service), "STATION_UNKNOWN") == 0);

    memset(&all, 0, sizeof all);
    CHECK(weatherd_stations(service, count_station, &all) == WEATHERD_OK && all.frames == 2 && all.rows == ROWS);
    CHECK(weatherd_stations(service, stop_station, NULL) == WEATHERD_STOPPED);

    CHECK(weatherd_stations(service, call_again, NULL) == WEATHERD_STOPPED);
    columns.rows = UINT64_C(1) << 33;
    CHECK(weatherd_post(service, &columns, NULL) == WEATHERD_INVALID && strstr(weatherd_error(service), "4 GiB") != NULL);
    columns.columns = WXF_MAX_COLUMNS + 1;
    CHECK(weatherd_post(service, &columns, NULL) == WEATHERD_INVALID);
    columns.columns = 1;
    columns.variable = unknown;
    none[0] = humidity;
    columns.value = none;
    columns.rows = 0;
    CHECK(weatherd_post(service, &columns, &receipt) == WEATHERD_OK && receipt.inserted == 0);
    columns.rows = 2;
    CHECK(weatherd_post(service, &columns, &receipt) == WEATHERD_OK && receipt.rejected == 2);
    CHECK(weatherd_ping(service) == WEATHERD_OK);
    weatherd_close(service);
    puts("ok");
    return 0;
}
