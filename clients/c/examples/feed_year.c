/*
 * Sends one year of synthetic observations of a station with eight sensors, one row for each ten minutes.
 *
 *     feed_year [URL [YEAR]]        default: http://127.0.0.1:8081 and 2025
 *
 * If the service has a secret, the environment variable WEATHERD_INTERNAL_SECRET must contain it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "weatherd_client.h"

#define STEP 600000 /* milliseconds */
#define COLUMNS 8

static const double PI = 3.14159265358979323846;

/* Number of days from 1970-01-01 to January 1 of a year. */
static int64_t days_before(int64_t year) {
    const int64_t y = year - 1;
    return y * 365 + y / 4 - y / 100 + y / 400 - 719162;
}

/* Rounds a value to one decimal. */
static double tenths(double value) { return round(value * 10) / 10; }

/* Replace this function by code that reads your sensors. */
static void observe(double hours, double *const *value, size_t row) {
    const double season = sin((hours / 24 - 105) / 365.25 * 2 * PI), day = sin((hours - 9) / 24 * 2 * PI);
    const double weather = sin(hours / 97) + 0.6 * sin(hours / 41);
    const double temperature = tenths(10 + 9 * season + 4 * day + 3 * weather);
    const double humidity = round(fmin(100, fmax(20, 72 - 12 * day - 8 * weather)));
    const double spread = (100 - humidity) / 5;
    const double wind = tenths(fmax(0, 4 + 2.5 * sin(hours / 31) + day));
    value[0][row] = temperature;
    value[1][row] = tenths(temperature - spread);
    value[2][row] = humidity;
    value[3][row] = tenths(1013 + 9 * sin(hours / 120) + 4 * sin(hours / 53));
    value[4][row] = wind;
    value[5][row] = wind == 0 ? 0 : fmod(720 + round(220 + 60 * sin(hours / 67)), 360);
    value[6][row] = tenths(wind * 1.6);
    value[7][row] = weather < -1 && fmod(hours, 5) < 2 ? 0.4 : 0;
}

static int feed(weatherd *service, int64_t year) {
    static const uint16_t variable[COLUMNS] = { WXF_AIR_TEMPERATURE,
                                                WXF_DEW_POINT_TEMPERATURE,
                                                WXF_RELATIVE_HUMIDITY,
                                                WXF_AIR_PRESSURE_AT_MEAN_SEA_LEVEL,
                                                WXF_WIND_SPEED,
                                                WXF_WIND_FROM_DIRECTION,
                                                WXF_WIND_SPEED_OF_GUST,
                                                WXF_PRECIPITATION_AMOUNT };
    const int64_t start = days_before(year) * 86400000;
    const size_t rows = (size_t)((days_before(year + 1) * 86400000 - start) / STEP);
    double *memory = (double *)malloc(rows * COLUMNS * sizeof(double));
    uint32_t *station = (uint32_t *)malloc(rows * sizeof(uint32_t));
    int64_t *time = (int64_t *)malloc(rows * sizeof(int64_t));
    weatherd_receipt *receipt = (weatherd_receipt *)malloc(sizeof *receipt);
    double *value[COLUMNS];
    const double *sent[COLUMNS];
    wxf_station here;
    weatherd_columns columns;
    size_t row, column;
    int result = WEATHERD_NO_MEMORY;
    if (memory != NULL && station != NULL && time != NULL && receipt != NULL) {
        (void)wxf_make_station(&here, "example-1", "Weather mast", 52.1017, 5.1783);
        here.elevation = 4;
        result = weatherd_put_stations(service, &here, 1);
    }
    if (result == WEATHERD_OK) {
        for (column = 0; column < COLUMNS; column += 1) sent[column] = value[column] = memory + column * rows;
        for (row = 0; row < rows; row += 1) {
            station[row] = here.number;
            time[row] = start + (int64_t)row * STEP;
            observe((double)row * STEP / 3600000, value, row);
        }
        columns.rows = rows;
        columns.station = station;
        columns.time = time;
        columns.columns = COLUMNS;
        columns.variable = variable;
        columns.value = sent;
        result = weatherd_post(service, &columns, receipt);
    }
    if (result == WEATHERD_OK) {
        printf("Station %" PRIu32 ", %" PRId64 ": %zu rows: %" PRIu64 " new, %" PRIu64 " changed, %" PRIu64
               " unchanged, %" PRIu64 " rejected.\n",
               here.number, year, rows, receipt->inserted, receipt->updated, receipt->unchanged, receipt->rejected);
        if (receipt->rejected > 0) result = WEATHERD_INVALID; /* for example, a year in the future */
    }
    free(memory);
    free(station);
    free(time);
    free(receipt);
    return result;
}

int main(int argc, char **argv) {
    weatherd *service = weatherd_connect(argc > 1 ? argv[1] : "http://127.0.0.1:8081", getenv("WEATHERD_INTERNAL_SECRET"));
    int result = WEATHERD_NO_MEMORY;
    if (service != NULL) {
        result = weatherd_ping(service);
        if (result == WEATHERD_OK) result = feed(service, argc > 2 ? atoi(argv[2]) : 2025);
        if (result != WEATHERD_OK) fprintf(stderr, "feed_year: Some rows were not stored. %s\n", weatherd_error(service));
    }
    weatherd_close(service);
    return result == WEATHERD_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
