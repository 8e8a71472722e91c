/*
 * The load of `npm run bench internal`: sends synthetic rows of twelve variables to weatherd, or the same rows to a time-series
 * database in its own format, and measures the latency of the health of weatherd meanwhile. Bodies are created before the
 * measurement starts.
 *
 *     load frames|lines|import URL FIRST_STATION STATIONS FIRST_STEP STEPS ROWS_A_POST CONNECTIONS ORDER HEALTH_URL
 *     load read URL PATH ROUNDS HEALTH_URL
 *     load crc|copy|decode
 *
 * ORDER: `time` (every step of all stations), `own` (the same, but each connection has its own stations) or `station`.
 * HEALTH_URL may be `-`. Prints numbers: rows (or bytes) per second, then p50 and p99 of health in milliseconds.
 */
#include <curl/curl.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "weatherd.h"

#define VARIABLES 12
#define STEP INT64_C(600000)
#define START INT64_C(1704067200000)

static const struct { uint16_t number; double middle, swing; int digits; } VARIABLE[VARIABLES] = {
    { 1, 11, 9, 1 },       { 2, 5, 4, 1 },     { 3, 70, 20, 0 },      { 4, 1002, 12, 1 },
    { 5, 1013, 12, 1 },    { 6, 6, 4, 1 },     { 7, 180, 170, 0 },    { 8, 14, 4, 1 },
    { 9, 0.4, 0.4, 1 },    { 11, 400, 400, 0 }, { 14, 20000, 9000, -2 }, { 15, 50, 50, 0 },
};
static double sines[144];

static void die(const char *what) {
    fprintf(stderr, "load: %s\n", what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* A daily cycle with a little noise, rounded like a sensor. */
static double value_at(uint32_t station, uint16_t variable, uint32_t step) {
    const uint32_t seed = station * 7 + variable;
    const double noise = (double)((seed * 2654435761u + step * 40503u) % 1000u) / 1000 - 0.5;
    const double power = pow(10, VARIABLE[0].digits);
    size_t index;
    for (index = 0; index < VARIABLES; index += 1) {
        if (VARIABLE[index].number == variable) {
            const double scale = VARIABLE[index].digits == 1 ? 10 : VARIABLE[index].digits == 0 ? 1 : 0.01;
            const double value = VARIABLE[index].middle + VARIABLE[index].swing * (0.95 * sines[(step + seed) % 144] + 0.05 * noise);
            return round(value * scale) / scale;
        }
    }
    return power;
}

/* ---- Bodies ---- */

typedef struct body { char *data; size_t size; } body;

typedef struct plan {
    const char *format;
    uint32_t first_station, stations, first_step, steps, rows_a_post, connections;
    const char *order;
} plan;

/* Station and step of a row of a post. */
static void row_at(const plan *all, uint64_t post, uint32_t row, uint32_t *station, uint32_t *step) {
    const uint64_t index = post * all->rows_a_post + row;
    if (strcmp(all->order, "station") == 0) {
        *station = (uint32_t)(index / all->steps);
        *step = (uint32_t)(index % all->steps);
    } else if (strcmp(all->order, "own") == 0) {
        const uint32_t own = all->stations / all->connections;
        const uint64_t turn = post / all->connections * all->rows_a_post + row;
        *station = (uint32_t)(post % all->connections) * own + (uint32_t)(turn % own);
        *step = (uint32_t)(turn / own);
    } else {
        *station = (uint32_t)(index % all->stations);
        *step = (uint32_t)(index / all->stations);
    }
    *station += all->first_station;
    *step += all->first_step;
}

static body make_frames(const plan *all, uint64_t post) {
    const uint32_t rows = all->rows_a_post;
    const size_t size = (size_t)wxf_rows_size(rows, VARIABLES) + WXF_END_SIZE;
    uint32_t *station = malloc(rows * sizeof *station);
    int64_t *times = malloc(rows * sizeof *times);
    double *memory = malloc((size_t)rows * VARIABLES * sizeof *memory);
    const double *value[VARIABLES];
    uint16_t variable[VARIABLES];
    uint32_t row, column, step;
    body made = { malloc(size), size };
    wxf_writer writer;
    if (station == NULL || times == NULL || memory == NULL || made.data == NULL) die("no memory");
    for (column = 0; column < VARIABLES; column += 1) {
        value[column] = memory + (size_t)column * rows;
        variable[column] = VARIABLE[column].number;
    }
    for (row = 0; row < rows; row += 1) {
        row_at(all, post, row, &station[row], &step);
        times[row] = START + step * STEP;
        for (column = 0; column < VARIABLES; column += 1) {
            memory[(size_t)column * rows + row] = value_at(station[row], variable[column], step);
        }
    }
    wxf_writer_init(&writer, made.data, made.size);
    if (wxf_put_rows(&writer, rows, station, times, VARIABLES, variable, value) != WXF_OK || wxf_put_end(&writer) != WXF_OK)
        die("a frame cannot be made");
    free(station);
    free(times);
    free(memory);
    return made;
}

static body make_lines(const plan *all, uint64_t post) {
    const size_t room = (size_t)all->rows_a_post * 200;
    body made = { malloc(room), 0 };
    uint32_t row, column, station, step;
    if (made.data == NULL) die("no memory");
    for (row = 0; row < all->rows_a_post; row += 1) {
        row_at(all, post, row, &station, &step);
        made.size += (size_t)sprintf(made.data + made.size, "w,s=%u ", station);
        for (column = 0; column < VARIABLES; column += 1) {
            made.size += (size_t)sprintf(made.data + made.size, "%sv%u=%g", column == 0 ? "" : ",", VARIABLE[column].number,
                                         value_at(station, VARIABLE[column].number, step));
        }
        made.size += (size_t)sprintf(made.data + made.size, " %" PRId64 "\n", START + step * STEP);
    }
    return made;
}

/* JSON lines of VictoriaMetrics: one series in each line, with all of its rows in the post. */
static body make_import(const plan *all, uint64_t post) {
    const size_t room = (size_t)all->rows_a_post * VARIABLES * 120;
    body made = { malloc(room), 0 };
    uint32_t row, column, station, step, other, other_step;
    if (made.data == NULL) die("no memory");
    for (row = 0; row < all->rows_a_post; row += 1) {
        row_at(all, post, row, &station, &step);
        if (row >= all->stations) break; /* The stations of the post have all come once. */
        for (column = 0; column < VARIABLES; column += 1) {
            const char *comma = "";
            made.size += (size_t)sprintf(made.data + made.size, "{\"metric\":{\"__name__\":\"w_v%u\",\"s\":\"%u\"},\"values\":[",
                                         VARIABLE[column].number, station);
            for (other = row; other < all->rows_a_post; other += all->stations, comma = ",") {
                row_at(all, post, other, &station, &other_step);
                made.size += (size_t)sprintf(made.data + made.size, "%s%g", comma, value_at(station, VARIABLE[column].number, other_step));
            }
            made.size += (size_t)sprintf(made.data + made.size, "],\"timestamps\":[");
            for (other = row, comma = ""; other < all->rows_a_post; other += all->stations, comma = ",") {
                row_at(all, post, other, &station, &other_step);
                made.size += (size_t)sprintf(made.data + made.size, "%s%" PRId64, comma, START + other_step * STEP);
            }
            made.size += (size_t)sprintf(made.data + made.size, "]}\n");
        }
    }
    return made;
}

/* ---- HTTP ---- */

static size_t drop(char *bytes, size_t one, size_t length, void *user) {
    (void)bytes;
    if (user != NULL) *(size_t *)user += length;
    return one * length;
}

static CURL *client(const char *url, size_t *received) {
    CURL *curl = curl_easy_init();
    if (curl == NULL) die("no curl");
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, received);
    curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 524288L);
    curl_easy_setopt(curl, CURLOPT_UPLOAD_BUFFERSIZE, 1048576L);
    return curl;
}

static void perform(CURL *curl) {
    long status = 0;
    if (curl_easy_perform(curl) != CURLE_OK) die("the request failed");
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (status < 200 || status > 299) {
        fprintf(stderr, "HTTP status %ld\n", status);
        die("refused");
    }
}

/* ---- Health of the service during the load ---- */

typedef struct health {
    const char *url;
    atomic_int is_over;
    double *milliseconds;
    size_t count;
    pthread_t thread;
} health;

#define MOST_ASKED 1000000

static void *ask(void *user) {
    health *asked = user;
    CURL *curl = client(asked->url, NULL);
    const struct timespec pause = { 0, 2000000 };
    while (!atomic_load(&asked->is_over) && asked->count < MOST_ASKED) {
        const double before = now();
        perform(curl);
        asked->milliseconds[asked->count++] = (now() - before) * 1000;
        nanosleep(&pause, NULL);
    }
    curl_easy_cleanup(curl);
    return NULL;
}

static void begin_health(health *asked, const char *url) {
    memset(asked, 0, sizeof *asked);
    asked->url = url;
    if (strcmp(url, "-") == 0) return;
    asked->milliseconds = malloc(MOST_ASKED * sizeof(double));
    if (asked->milliseconds == NULL || pthread_create(&asked->thread, NULL, ask, asked) != 0) die("no thread");
}

static int rising(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void end_health(health *asked) {
    if (asked->milliseconds == NULL) {
        printf(" - -\n");
        return;
    }
    atomic_store(&asked->is_over, 1);
    pthread_join(asked->thread, NULL);
    qsort(asked->milliseconds, asked->count, sizeof(double), rising);
    printf(" %.2f %.2f\n", asked->milliseconds[asked->count / 2], asked->milliseconds[asked->count * 99 / 100]);
}

/* ---- Sending ---- */

typedef struct sending {
    const char *url, *type;
    body *bodies;
    uint64_t count;
    atomic_ullong next;
} sending;

static void *send_some(void *user) {
    sending *all = user;
    CURL *curl = client(all->url, NULL);
    struct curl_slist *headers = curl_slist_append(curl_slist_append(NULL, all->type), "Expect:");
    uint64_t index;
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_POST, 1L);
    while ((index = atomic_fetch_add(&all->next, 1)) < all->count) {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)all->bodies[index].size);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, all->bodies[index].data);
        perform(curl);
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return NULL;
}

static void send_all(const plan *all, const char *url, const char *health_url) {
    const uint64_t rows = (uint64_t)all->stations * all->steps;
    sending sent = { url, NULL, NULL, rows / all->rows_a_post, 0 };
    pthread_t *threads = malloc(all->connections * sizeof *threads);
    health asked;
    uint64_t index;
    double before;
    sent.bodies = malloc(sent.count * sizeof *sent.bodies);
    if (threads == NULL || sent.bodies == NULL) die("no memory");
    sent.type = strcmp(all->format, "frames") == 0 ? "Content-Type: " WXF_MEDIA_TYPE : "Content-Type: text/plain";
    for (index = 0; index < sent.count; index += 1) {
        sent.bodies[index] = strcmp(all->format, "frames") == 0  ? make_frames(all, index)
                             : strcmp(all->format, "lines") == 0 ? make_lines(all, index)
                                                                 : make_import(all, index);
    }
    begin_health(&asked, health_url);
    before = now();
    for (index = 0; index < all->connections; index += 1) {
        if (pthread_create(&threads[index], NULL, send_some, &sent) != 0) die("no thread");
    }
    for (index = 0; index < all->connections; index += 1) pthread_join(threads[index], NULL);
    printf("%.0f", (double)(sent.count * all->rows_a_post) / (now() - before));
    end_health(&asked);
}

/* ---- Reading: median milliseconds and megabytes of a reply ---- */

static size_t keep(char *bytes, size_t one, size_t length, void *user) {
    body *all = user;
    memcpy(all->data + all->size, bytes, length);
    all->size += length;
    return one * length;
}

/* Checks all frames, and reads every value. */
static uint64_t rows_of(const body *received) {
    wxf_reader reader;
    wxf_frame frame;
    wxf_observations rows;
    wxf_status status;
    uint64_t count = 0;
    double sum = 0;
    wxf_reader_init(&reader, received->data, received->size);
    while ((status = wxf_next(&reader, &frame)) == WXF_OK) {
        uint32_t column, row;
        if (wxf_read_observations(&frame, &rows) != WXF_OK) die("no rows");
        for (column = 0; column < rows.columns; column += 1) {
            const double *values = wxf_values(&rows, column);
            for (row = 0; row < rows.rows; row += 1) sum += values[row];
        }
        count += rows.rows;
    }
    if (status != WXF_END) die(wxf_status_text(status));
    if (sum == 0.123) puts("");
    return count;
}

static void read_all(const char *url, const char *path, size_t rounds, const char *health_url) {
    char whole[4096];
    double *seconds = malloc(rounds * sizeof *seconds);
    body received = { malloc((size_t)1 << 30), 0 };
    uint64_t rows = 0;
    size_t round;
    health asked;
    CURL *curl;
    snprintf(whole, sizeof whole, "%s%s", url, path);
    curl = client(whole, NULL);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &received);
    perform(curl);
    begin_health(&asked, health_url);
    for (round = 0; round < rounds; round += 1) {
        const double before = now();
        received.size = 0;
        perform(curl);
        rows = rows_of(&received);
        seconds[round] = now() - before;
    }
    qsort(seconds, rounds, sizeof(double), rising);
    printf("%.2f %" PRIu64 " %.2f", seconds[rounds / 2] * 1000, rows, (double)received.size / 1e6);
    end_health(&asked);
}

/* ---- Upper bounds of the machine ---- */

static void measure(const char *what) {
    const plan all = { "frames", 1, 1000, 0, 10, 10000, 1, "time" };
    const body one = make_frames(&all, 0);
    char *copy = malloc(one.size);
    const int times = 200;
    double before;
    int round;
    uint64_t check = 0;
    if (copy == NULL) die("no memory");
    memset(copy, 1, one.size);
    before = now();
    for (round = 0; round < times; round += 1) {
        if (strcmp(what, "copy") == 0) memcpy(copy, one.data, one.size), check += (unsigned char)copy[round];
        else if (strcmp(what, "crc") == 0) check += wxf_crc32(0, one.data, one.size);
        else check += rows_of(&one);
    }
    printf("%.0f\n", times * 10000.0 / (now() - before) + (check == 1 ? 1 : 0));
}

int main(int count, char **given) {
    size_t index;
    for (index = 0; index < 144; index += 1) sines[index] = sin((double)index / 144 * 2 * 3.14159265358979323846);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    if (count == 11) {
        const plan all = { given[1],
                           (uint32_t)atoi(given[3]),
                           (uint32_t)atoi(given[4]),
                           (uint32_t)atoi(given[5]),
                           (uint32_t)atoi(given[6]),
                           (uint32_t)atoi(given[7]),
                           (uint32_t)atoi(given[8]),
                           given[9] };
        send_all(&all, given[2], given[10]);
    } else if (count == 6 && strcmp(given[1], "read") == 0) {
        read_all(given[2], given[3], (size_t)atoi(given[4]), given[5]);
    } else if (count == 2) {
        measure(given[1]);
    } else {
        die("see the top of load.c");
    }
    return 0;
}
