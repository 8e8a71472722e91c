/*
 * Reads one year of a station and prints a summary of each month. It ignores values that failed quality control.
 *
 *     monthly_table [URL [ID [YEAR]]]        default: http://127.0.0.1:8081, example-1 and 2025
 *
 * If the service has a secret, the environment variable WEATHERD_INTERNAL_SECRET must contain it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "weatherd_client.h"

#define DAY 86400000

enum { TEMPERATURE, WIND, RAIN, COLUMNS };

static const uint16_t VARIABLE[COLUMNS] = { WXF_AIR_TEMPERATURE, WXF_WIND_SPEED, WXF_PRECIPITATION_AMOUNT };

typedef struct month {
    uint64_t rows;
    uint64_t count[COLUMNS];
    double sum[COLUMNS];
    double minimum[COLUMNS];
    double maximum[COLUMNS];
} month;

typedef struct table {
    int64_t starts[13]; /* start of each month and of the next year in milliseconds since 1970-01-01T00:00:00Z */
    month months[12];
    int current;
} table;

static int64_t days_before(int64_t year) {
    const int64_t y = year - 1;
    return y * 365 + y / 4 - y / 100 + y / 400 - 719162;
}

static void init_table(table *all, int64_t year) {
    static const int lengths[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    const int is_leap = days_before(year + 1) - days_before(year) == 366;
    int index;
    memset(all, 0, sizeof *all);
    all->starts[0] = days_before(year) * DAY;
    for (index = 0; index < 12; index += 1) {
        all->starts[index + 1] = all->starts[index] + (int64_t)(lengths[index] + (index == 1 && is_leap)) * DAY;
    }
}

/* Adds a row to its month. Rows arrive in the order of their times. */
static int add(void *user, const wxf_observations *rows, uint32_t row) {
    table *all = (table *)user;
    month *now;
    uint32_t column;
    while (all->current < 11 && rows->time[row] >= all->starts[all->current + 1]) all->current += 1;
    now = &all->months[all->current];
    now->rows += 1;
    for (column = 0; column < rows->columns; column += 1) {
        const double value = wxf_value(rows, column, row);
        if (isnan(value) || wxf_qualities(rows, column)[row] == WXF_FAIL) continue;
        if (now->count[column] == 0 || value < now->minimum[column]) now->minimum[column] = value;
        if (now->count[column] == 0 || value > now->maximum[column]) now->maximum[column] = value;
        now->sum[column] += value;
        now->count[column] += 1;
    }
    return 0;
}

static void print(const table *all, const wxf_station *station, int64_t year) {
    char id[65];
    int index;
    wxf_station_id(station, id);
    printf("%s (%s), %.4f N %.4f E, %" PRId64 "\n\n", station->name, id, station->latitude, station->longitude, year);
    printf("month    rows   mean C    min C    max C  wind m/s   rain mm\n");
    for (index = 0; index < 12; index += 1) {
        const month *one = &all->months[index];
        printf("%5d %7" PRIu64, index + 1, one->rows);
        if (one->count[TEMPERATURE] == 0) printf(" %8s %8s %8s", "-", "-", "-");
        else
            printf(" %8.1f %8.1f %8.1f", one->sum[TEMPERATURE] / (double)one->count[TEMPERATURE], one->minimum[TEMPERATURE],
                   one->maximum[TEMPERATURE]);
        if (one->count[WIND] == 0) printf(" %9s", "-");
        else printf(" %9.1f", one->sum[WIND] / (double)one->count[WIND]);
        if (one->count[RAIN] == 0) printf(" %9s\n", "-");
        else printf(" %9.1f\n", one->sum[RAIN]);
    }
}

typedef struct search {
    const char *id;
    wxf_station station;
    int found;
} search;

static int match(void *user, const wxf_station *station) {
    search *wanted = (search *)user;
    char id[65];
    wxf_station_id(station, id);
    if (strcmp(id, wanted->id) == 0) {
        wanted->station = *station;
        wanted->found = 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    weatherd *service = weatherd_connect(argc > 1 ? argv[1] : "http://127.0.0.1:8081", getenv("WEATHERD_INTERNAL_SECRET"));
    const int64_t year = argc > 3 ? atoi(argv[3]) : 2025;
    search wanted = { 0 };
    weatherd_query query = { 0 };
    table all;
    int result;
    if (service == NULL) return EXIT_FAILURE;
    wanted.id = argc > 2 ? argv[2] : "example-1";
    init_table(&all, year);
    result = weatherd_stations(service, match, &wanted);
    if (result == WEATHERD_OK && wanted.found) {
        query.station = &wanted.station.number;
        query.stations = 1;
        query.variable = VARIABLE;
        query.variables = COLUMNS;
        query.from = all.starts[0];
        query.to = all.starts[12];
        query.quality = 1;
        result = weatherd_get(service, &query, add, &all);
    }
    if (result != WEATHERD_OK) fprintf(stderr, "monthly_table: %s\n", weatherd_error(service));
    else if (wanted.found) print(&all, &wanted.station, year);
    else
        fprintf(stderr, "monthly_table: The station %s does not exist. Run feed_year first, or pass another id.\n",
                wanted.id);
    weatherd_close(service);
    return result == WEATHERD_OK && wanted.found ? EXIT_SUCCESS : EXIT_FAILURE;
}
