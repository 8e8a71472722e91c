#include "weatherd_client.h"

#include <curl/curl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Number of rows in a sent frame. The frame is large enough that the header is negligible, and fits into the cache of a
 * processor.
 */
#define ROWS_A_FRAME 8192u
/* Maximum size of a body that the service accepts, in bytes. */
#define MAX_BODY ((uint64_t)4 << 30)
/* Maximum size of a frame that the service sends, in bytes. */
#define MAX_FRAME ((size_t)1 << 28)
#define ERROR_TEXT 512
/* Maximum number of bytes of a reply without frames that an error message quotes. */
#define QUOTED 511
/* Maximum number of stations in a request, because the request line must not be too long. */
#define STATIONS_A_REQUEST 1000

/* A growing array of bytes. Its memory comes from malloc, so it is aligned for frames. */
typedef struct buffer {
    unsigned char *data;
    size_t size;
    size_t used;
} buffer;

struct weatherd {
    CURL *curl;
    struct curl_slist *headers;      /* for requests without a body */
    struct curl_slist *body_headers; /* for requests with a body */
    char *base;                      /* http://host:port without a slash at its end */
    char *name;                      /* the URL of weatherd_connect, for error messages */
    char error[ERROR_TEXT];
    char code[56];
    int is_busy;
    buffer in;  /* the frame that is being received */
    buffer out; /* the frame that is being sent */
};

/* The state of a reply that is being received. */
typedef struct exchange {
    weatherd *service;
    uint64_t rows; /* number of rows in frames of observations and stations */
    uint64_t frames;
    int ended;
    int result;     /* result of the first failure */
    int is_checked; /* whether the content type of the reply has been checked */
    int is_frames;
    size_t quoted;
    char quote[QUOTED + 1];
    int (*handle)(struct exchange *exchange, const wxf_frame *frame);
    void *user;
    weatherd_row row;
    weatherd_rows rows_callback;
    weatherd_station station;
} exchange;

/* The state of a body that is being sent. */
typedef struct upload {
    weatherd *service;
    const weatherd_columns *columns;
    wxf_writer writer; /* counts rows and frames; its memory is service->out */
    uint64_t next;     /* number of the next row */
    size_t sent;       /* number of sent bytes of the frame in the writer */
    int ended;
} upload;

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static int fail(weatherd *service, int result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(service->error, sizeof service->error, format, arguments);
    va_end(arguments);
    return result;
}

/* Starts a call: clears the error of the previous call. */
static void start_call(weatherd *service) {
    service->error[0] = 0;
    service->code[0] = 0;
}

static int reserve(buffer *to, size_t size) {
    unsigned char *data;
    if (to->size >= size) return 1;
    data = (unsigned char *)realloc(to->data, size);
    if (data == NULL) return 0;
    to->data = data;
    to->size = size;
    return 1;
}

static char *duplicate(const char *text, size_t length) {
    char *copy = (char *)malloc(length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

/* ---- The connection ---- */

/* Adds a header to a list. Without memory it frees the list, sets it to NULL and returns 0. */
static int add_header(struct curl_slist **list, const char *line) {
    struct curl_slist *longer = curl_slist_append(*list, line);
    if (longer == NULL) {
        curl_slist_free_all(*list);
        *list = NULL;
        return 0;
    }
    *list = longer;
    return 1;
}

static int add_secret(weatherd *service, const char *secret) {
    static const char name[] = "Authorization: Bearer ";
    const size_t size = sizeof name + strlen(secret);
    char *line = (char *)malloc(size);
    int added;
    if (line == NULL) return 0;
    (void)snprintf(line, size, "%s%s", name, secret);
    added = add_header(&service->headers, line) && add_header(&service->body_headers, line);
    free(line);
    return added;
}

weatherd *weatherd_connect(const char *url, const char *secret) {
    static const char scheme[] = "unix:";
    const int is_socket = strncmp(url, scheme, sizeof scheme - 1) == 0;
    weatherd *service = (weatherd *)calloc(1, sizeof *service);
    size_t length;
    if (service == NULL) return NULL;
    length = strlen(url);
    while (length > 0 && url[length - 1] == '/') length -= 1;
    service->base = is_socket ? duplicate("http://localhost", 16) : duplicate(url, length);
    service->name = duplicate(url, length);
    service->curl = curl_easy_init();
    if (service->base == NULL || service->name == NULL || service->curl == NULL ||
        !add_header(&service->headers, "Accept: " WXF_MEDIA_TYPE) ||
        !add_header(&service->body_headers, "Accept: " WXF_MEDIA_TYPE) ||
        !add_header(&service->body_headers, "Content-Type: " WXF_MEDIA_TYPE) ||
        /* The empty header prevents libcurl from waiting for "100 Continue" before it sends the body. */
        !add_header(&service->body_headers, "Expect:") || (secret != NULL && !add_secret(service, secret)) ||
        (is_socket &&
         curl_easy_setopt(service->curl, CURLOPT_UNIX_SOCKET_PATH, url + sizeof scheme - 1) != CURLE_OK)) {
        weatherd_close(service);
        return NULL;
    }
    (void)curl_easy_setopt(service->curl, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(service->curl, CURLOPT_CONNECTTIMEOUT, 10L);
    (void)curl_easy_setopt(service->curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    (void)curl_easy_setopt(service->curl, CURLOPT_LOW_SPEED_TIME, 60L);
    (void)curl_easy_setopt(service->curl, CURLOPT_BUFFERSIZE, 524288L);
    (void)curl_easy_setopt(service->curl, CURLOPT_UPLOAD_BUFFERSIZE, 1048576L);
    return service;
}

void weatherd_close(weatherd *service) {
    if (service == NULL) return;
    curl_easy_cleanup(service->curl);
    curl_slist_free_all(service->headers);
    curl_slist_free_all(service->body_headers);
    free(service->base);
    free(service->name);
    free(service->in.data);
    free(service->out.data);
    free(service);
}

const char *weatherd_error(const weatherd *service) { return service->error; }

const char *weatherd_code(const weatherd *service) { return service->code; }

/* ---- Receiving ---- */

static int handle_error(exchange *in, const wxf_frame *frame) {
    weatherd *service = in->service;
    wxf_error error;
    const wxf_status status = wxf_read_error(frame, &error);
    if (status != WXF_OK) return fail(service, WEATHERD_BROKEN, "The error frame cannot be read: %s.", wxf_status_text(status));
    (void)snprintf(service->code, sizeof service->code, "%s", error.code);
    return fail(service, WEATHERD_REFUSED, "%s (%s, HTTP status %" PRIu32 ")", error.message, error.code, error.status);
}

static int handle_end(exchange *in, const wxf_frame *frame) {
    uint64_t counts[2];
    memcpy(counts, frame->payload, sizeof counts);
    if (counts[0] != in->rows || counts[1] != in->frames) {
        return fail(in->service, WEATHERD_BROKEN, "The reply is not valid: %s.", wxf_status_text(WXF_BAD_COUNT));
    }
    in->ended = 1;
    return WEATHERD_OK;
}

static int handle_frame(exchange *in, const wxf_frame *frame) {
    const uint16_t kind = frame->header->kind;
    if (in->ended) return fail(in->service, WEATHERD_BROKEN, "The reply is not valid: %s.", wxf_status_text(WXF_AFTER_END));
    if (kind == WXF_ERROR) return handle_error(in, frame);
    if (kind == WXF_END_FRAME) return handle_end(in, frame);
    in->frames += 1;
    if (kind == WXF_OBSERVATIONS || kind == WXF_STATIONS) in->rows += frame->header->rows;
    return in->handle(in, frame);
}

/* Assembles frames from received bytes, and handles each complete frame. */
static int handle_bytes(exchange *in, const unsigned char *bytes, size_t length) {
    buffer *received = &in->service->in;
    while (length > 0) {
        size_t needed = sizeof(wxf_header), part;
        wxf_status status = WXF_NEED_MORE;
        if (received->used >= sizeof(wxf_header)) {
            wxf_header header;
            memcpy(&header, received->data, sizeof header);
            if (header.length > MAX_FRAME) {
                return fail(in->service, WEATHERD_BROKEN, "The reply is not valid: a frame of %" PRIu64 " bytes is too large.",
                            header.length);
            }
            needed += (size_t)header.length;
        }
        if (!reserve(received, needed)) return fail(in->service, WEATHERD_NO_MEMORY, "There is no memory for a frame.");
        part = needed - received->used < length ? needed - received->used : length;
        memcpy(received->data + received->used, bytes, part);
        received->used += part;
        bytes += part;
        length -= part;
        if (received->used < needed) continue;
        status = wxf_check(received->data, received->used, &needed);
        if (status == WXF_OK) {
            wxf_frame frame;
            int result;
            frame.header = (const wxf_header *)(const void *)received->data;
            frame.payload = received->data + sizeof(wxf_header);
            result = handle_frame(in, &frame);
            if (result != WEATHERD_OK) return result;
            received->used = 0;
        } else if (status != WXF_NEED_MORE) {
            return fail(in->service, WEATHERD_BROKEN, "Frame %" PRIu64 " of the reply is not valid: %s.", in->frames,
                        wxf_status_text(status));
        }
    }
    return WEATHERD_OK;
}

static int is_frames(const weatherd *service) {
    const char *type = NULL;
    if (curl_easy_getinfo(service->curl, CURLINFO_CONTENT_TYPE, &type) != CURLE_OK || type == NULL) return 0;
    return strcmp(type, WXF_MEDIA_TYPE) == 0;
}

static size_t on_bytes(char *bytes, size_t one, size_t length, void *user) {
    exchange *in = (exchange *)user;
    (void)one;
    if (!in->is_checked) {
        in->is_checked = 1;
        in->is_frames = is_frames(in->service);
    }
    if (!in->is_frames) {
        const size_t part = QUOTED - in->quoted < length ? QUOTED - in->quoted : length;
        memcpy(in->quote + in->quoted, bytes, part);
        in->quoted += part;
        return length;
    }
    in->result = handle_bytes(in, (const unsigned char *)bytes, length);
    return in->result == WEATHERD_OK ? length : 0;
}

/*
 * Copies the value of a field of the JSON envelope up to the next quotation mark. Returns its length; 0 if the field is
 * missing.
 */
static size_t field(const char *json, const char *name, char *text, size_t size) {
    const char *from = strstr(json, name);
    size_t length = 0;
    if (from == NULL) return 0;
    from += strlen(name);
    while (from[length] != 0 && from[length] != '"' && length + 1 < size) length += 1;
    memcpy(text, from, length);
    text[length] = 0;
    return length;
}

/* Sets the error of a refused request. Routes without frames send JSON; a proxy can send any content. */
static int refused(weatherd *service, long http, const char *quote) {
    char message[QUOTED + 1];
    if (field(quote, "\"error\":\"", service->code, sizeof service->code) > 0 &&
        field(quote, "\"message\":\"", message, sizeof message) > 0) {
        return fail(service, WEATHERD_REFUSED, "%s (%s, HTTP status %ld)", message, service->code, http);
    }
    return fail(service, WEATHERD_REFUSED, "HTTP status %ld: %s", http, quote);
}

/* Sends the prepared request and reads the whole reply. */
static int perform(weatherd *service, const char *path, exchange *in) {
    const size_t size = strlen(service->base) + strlen(path) + 1;
    char *url = (char *)malloc(size);
    char detail[CURL_ERROR_SIZE] = "";
    CURLcode done;
    long http = 0;
    if (service->is_busy) {
        free(url);
        return fail(service, WEATHERD_INVALID, "A callback must not use the client that called it.");
    }
    service->in.used = 0;
    in->service = service;
    if (url == NULL) return fail(service, WEATHERD_NO_MEMORY, "There is no memory for a request.");
    (void)snprintf(url, size, "%s%s", service->base, path);
    (void)curl_easy_setopt(service->curl, CURLOPT_URL, url);
    (void)curl_easy_setopt(service->curl, CURLOPT_ERRORBUFFER, detail);
    (void)curl_easy_setopt(service->curl, CURLOPT_WRITEFUNCTION, on_bytes);
    (void)curl_easy_setopt(service->curl, CURLOPT_WRITEDATA, in);
    service->is_busy = 1;
    done = curl_easy_perform(service->curl);
    service->is_busy = 0;
    (void)curl_easy_setopt(service->curl, CURLOPT_ERRORBUFFER, NULL);
    free(url);
    if (in->result != WEATHERD_OK) return in->result;
    if (done == CURLE_COULDNT_CONNECT && strncmp(service->name, "unix:", 5) == 0) {
        return fail(service, WEATHERD_UNREACHABLE, "%s: no service listens on this socket.", service->name);
    }
    if (done != CURLE_OK) {
        return fail(service, WEATHERD_UNREACHABLE, "%s: %s.", service->name,
                    detail[0] != 0 ? detail : curl_easy_strerror(done));
    }
    (void)curl_easy_getinfo(service->curl, CURLINFO_RESPONSE_CODE, &http);
    if (in->is_frames && !in->ended) {
        return fail(service, WEATHERD_BROKEN, "The reply is not valid: %s.", wxf_status_text(WXF_TRUNCATED));
    }
    if (in->is_frames) return WEATHERD_OK;
    if (http >= 200 && http < 300 && in->handle == NULL) return WEATHERD_OK;
    if (http < 400) return fail(service, WEATHERD_BROKEN, "HTTP status %ld: %s", http, in->quote);
    return refused(service, http, in->quote);
}

static int get(weatherd *service, const char *path, exchange *in) {
    (void)curl_easy_setopt(service->curl, CURLOPT_HTTPGET, 1L);
    (void)curl_easy_setopt(service->curl, CURLOPT_HTTPHEADER, service->headers);
    return perform(service, path, in);
}

int weatherd_ping(weatherd *service) {
    exchange in = { 0 };
    start_call(service);
    return get(service, "/v1/health/liveliness", &in);
}

/* ---- Writing observations ---- */

static wxf_status next_frame(upload *out) {
    const weatherd_columns *columns = out->columns;
    const double *value[WXF_MAX_COLUMNS];
    const uint64_t left = columns->rows - out->next;
    const uint32_t rows = left < ROWS_A_FRAME ? (uint32_t)left : ROWS_A_FRAME;
    uint32_t column;
    wxf_status status;
    out->writer.used = 0;
    out->sent = 0;
    if (rows == 0) {
        out->ended = 1;
        return wxf_put_end(&out->writer);
    }
    for (column = 0; column < columns->columns; column += 1) value[column] = columns->value[column] + out->next;
    status = wxf_put_rows(&out->writer, rows, columns->station + out->next, columns->time + out->next, columns->columns,
                          columns->variable, value);
    out->next += rows;
    return status;
}

static size_t on_read(char *target, size_t one, size_t length, void *user) {
    upload *out = (upload *)user;
    size_t copied = 0;
    (void)one;
    while (copied < length) {
        size_t part = out->writer.used - out->sent;
        if (part == 0) {
            if (out->ended) break;
            /* This cannot fail, because all checks were done before the request. */
            if (next_frame(out) != WXF_OK) return CURL_READFUNC_ABORT;
            continue;
        }
        if (part > length - copied) part = length - copied;
        memcpy(target + copied, out->writer.data + out->sent, part);
        out->sent += part;
        copied += part;
    }
    return copied;
}

/* libcurl calls this function to send a body again if the service has closed a kept connection. */
static int on_seek(void *user, curl_off_t offset, int origin) {
    upload *out = (upload *)user;
    if (offset != 0 || origin != SEEK_SET) return CURL_SEEKFUNC_CANTSEEK;
    out->writer.used = 0;
    out->writer.rows = 0;
    out->writer.frames = 0;
    out->next = 0;
    out->sent = 0;
    out->ended = 0;
    return CURL_SEEKFUNC_OK;
}

static uint64_t body_size(const weatherd_columns *columns) {
    const uint64_t whole = columns->rows / ROWS_A_FRAME, rest = columns->rows % ROWS_A_FRAME;
    return whole * wxf_rows_size(ROWS_A_FRAME, columns->columns) +
           (rest > 0 ? wxf_rows_size((uint32_t)rest, columns->columns) : 0) + WXF_END_SIZE;
}

static int handle_receipt(exchange *in, const wxf_frame *frame) {
    weatherd_receipt *receipt = (weatherd_receipt *)in->user;
    wxf_receipt read;
    const wxf_status status = wxf_read_receipt(frame, &read);
    if (status != WXF_OK) return fail(in->service, WEATHERD_BROKEN, "The receipt is not valid: %s.", wxf_status_text(status));
    if (receipt == NULL) return WEATHERD_OK;
    receipt->inserted = read.inserted;
    receipt->updated = read.updated;
    receipt->unchanged = read.unchanged;
    receipt->rejected = read.rejected;
    receipt->listed = read.listed < WEATHERD_LISTED ? read.listed : WEATHERD_LISTED;
    memcpy(receipt->rejection, read.rejection, receipt->listed * sizeof(wxf_rejection));
    return WEATHERD_OK;
}

/* Sends the body of `out`, which has `size` bytes. */
static int post(weatherd *service, const char *path, upload *out, uint64_t size, exchange *in) {
    int result;
    (void)curl_easy_setopt(service->curl, CURLOPT_POST, 1L);
    (void)curl_easy_setopt(service->curl, CURLOPT_HTTPHEADER, service->body_headers);
    (void)curl_easy_setopt(service->curl, CURLOPT_POSTFIELDS, NULL);
    (void)curl_easy_setopt(service->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
    (void)curl_easy_setopt(service->curl, CURLOPT_READFUNCTION, on_read);
    (void)curl_easy_setopt(service->curl, CURLOPT_READDATA, out);
    (void)curl_easy_setopt(service->curl, CURLOPT_SEEKFUNCTION, on_seek);
    (void)curl_easy_setopt(service->curl, CURLOPT_SEEKDATA, out);
    result = perform(service, path, in);
    (void)curl_easy_setopt(service->curl, CURLOPT_READDATA, NULL);
    (void)curl_easy_setopt(service->curl, CURLOPT_SEEKDATA, NULL);
    return result;
}

int weatherd_post(weatherd *service, const weatherd_columns *columns, weatherd_receipt *receipt) {
    upload out = { 0 };
    exchange in = { 0 };
    size_t size;
    wxf_status status;
    start_call(service);
    if (receipt != NULL) memset(receipt, 0, sizeof *receipt);
    if (columns->columns > WXF_MAX_COLUMNS) {
        return fail(service, WEATHERD_INVALID, "There are more than %u columns.", WXF_MAX_COLUMNS);
    }
    if (columns->rows > MAX_BODY / 8 || body_size(columns) > MAX_BODY) {
        return fail(service, WEATHERD_INVALID, "The rows have more than 4 GiB. Send them with several calls.");
    }
    size = (size_t)wxf_rows_size(ROWS_A_FRAME, columns->columns);
    if (!reserve(&service->out, size)) return fail(service, WEATHERD_NO_MEMORY, "There is no memory for a frame.");
    out.service = service;
    out.columns = columns;
    (void)wxf_writer_init(&out.writer, service->out.data, service->out.size);
    status = next_frame(&out);
    if (status != WXF_OK) return fail(service, WEATHERD_INVALID, "The rows cannot be sent: %s.", wxf_status_text(status));
    in.handle = handle_receipt;
    in.user = receipt;
    return post(service, "/v1/observations", &out, body_size(columns), &in);
}

/* ---- Reading observations ---- */

static int stopped(exchange *in) { return fail(in->service, WEATHERD_STOPPED, "A callback has stopped the call."); }

static int handle_rows(exchange *in, const wxf_frame *frame) {
    wxf_observations rows;
    uint32_t row;
    const wxf_status status = wxf_read_observations(frame, &rows);
    if (status != WXF_OK) {
        return fail(in->service, WEATHERD_BROKEN, "Frame %" PRIu64 " of the reply is not valid: %s.", in->frames - 1,
                    wxf_status_text(status));
    }
    if (in->rows_callback != NULL) return in->rows_callback(in->user, &rows) == 0 ? WEATHERD_OK : stopped(in);
    for (row = 0; row < rows.rows; row += 1) {
        if (in->row(in->user, &rows, row) != 0) return stopped(in);
    }
    return WEATHERD_OK;
}

/* Appends at most 63 bytes of text. Returns 0 if there is no memory. */
static int append(buffer *text, const char *format, ...) {
    va_list arguments;
    int length;
    if (!reserve(text, text->used + 64)) return 0;
    va_start(arguments, format);
    length = vsnprintf((char *)text->data + text->used, 64, format, arguments);
    va_end(arguments);
    text->used += (size_t)length;
    return 1;
}

/* Appends a parameter with numbers that are separated by commas. Returns 0 if there is no memory. */
static int append_numbers(buffer *path, const char *name, const uint32_t *numbers, size_t count) {
    size_t index;
    int has_memory = 1;
    for (index = 0; has_memory && index < count; index += 1) {
        has_memory = append(path, "%s%" PRIu32, index == 0 ? name : ",", numbers[index]);
    }
    return has_memory;
}

static int append_query(buffer *path, const weatherd_query *query) {
    size_t index;
    int has_memory = append(path, "/v1/observations?quality=%d", query->quality != 0);
    if (query->from != 0 || query->to != 0) has_memory = has_memory && append(path, "&from=%" PRId64, query->from);
    if (query->to != 0) has_memory = has_memory && append(path, "&to=%" PRId64, query->to);
    for (index = 0; has_memory && query->variable != NULL && index < query->variables; index += 1) {
        has_memory = append(path, "%s%" PRIu16, index == 0 ? "&variables=" : ",", query->variable[index]);
    }
    return has_memory;
}

/*
 * Requests the rows of all stations, or of at most STATIONS_A_REQUEST stations in one request. `path` is the path without
 * stations.
 */
static int get_rows(weatherd *service, buffer *path, const uint32_t *station, size_t stations, const exchange *wanted) {
    const size_t length = path->used;
    size_t done = 0;
    int result = WEATHERD_OK;
    do {
        exchange in = *wanted;
        const size_t part = stations - done < STATIONS_A_REQUEST ? stations - done : STATIONS_A_REQUEST;
        path->used = length;
        path->data[length] = 0;
        in.handle = handle_rows;
        if (station != NULL && !append_numbers(path, "&stations=", station + done, part)) {
            return fail(service, WEATHERD_NO_MEMORY, "There is no memory for a request.");
        }
        result = get(service, (const char *)path->data, &in);
        done += part;
    } while (result == WEATHERD_OK && station != NULL && done < stations);
    return result;
}

static int query_rows(weatherd *service, const weatherd_query *query, const exchange *wanted) {
    buffer path = { 0 };
    int result;
    start_call(service);
    if ((query->station != NULL && query->stations == 0) || (query->variable != NULL && query->variables == 0)) {
        return WEATHERD_OK; /* without stations or variables there are no rows */
    }
    result = append_query(&path, query) ? get_rows(service, &path, query->station, query->stations, wanted)
                                        : fail(service, WEATHERD_NO_MEMORY, "There is no memory for a request.");
    free(path.data);
    return result;
}

int weatherd_get(weatherd *service, const weatherd_query *query, weatherd_row callback, void *user) {
    exchange wanted = { 0 };
    wanted.row = callback;
    wanted.user = user;
    return query_rows(service, query, &wanted);
}

int weatherd_get_frames(weatherd *service, const weatherd_query *query, weatherd_rows callback, void *user) {
    exchange wanted = { 0 };
    wanted.rows_callback = callback;
    wanted.user = user;
    return query_rows(service, query, &wanted);
}

int weatherd_newest(weatherd *service, const uint32_t *station, size_t stations, weatherd_row callback, void *user) {
    exchange wanted = { 0 };
    buffer path = { 0 };
    int result;
    start_call(service);
    if (station != NULL && stations == 0) return WEATHERD_OK;
    wanted.row = callback;
    wanted.user = user;
    result = append(&path, "/v1/observations/newest?quality=0")
                 ? get_rows(service, &path, station, stations, &wanted)
                 : fail(service, WEATHERD_NO_MEMORY, "There is no memory for a request.");
    free(path.data);
    return result;
}

/* ---- Stations ---- */

static int handle_stations(exchange *in, const wxf_frame *frame) {
    const wxf_station *stations;
    uint32_t row;
    const wxf_status status = wxf_read_stations(frame, &stations);
    if (status != WXF_OK) {
        return fail(in->service, WEATHERD_BROKEN, "Frame %" PRIu64 " of the reply is not valid: %s.", in->frames - 1,
                    wxf_status_text(status));
    }
    for (row = 0; row < frame->header->rows; row += 1) {
        if (in->station(in->user, &stations[row]) != 0) return stopped(in);
    }
    return WEATHERD_OK;
}

int weatherd_stations(weatherd *service, weatherd_station callback, void *user) {
    exchange in = { 0 };
    start_call(service);
    in.handle = handle_stations;
    in.station = callback;
    in.user = user;
    return get(service, "/v1/stations", &in);
}

/* The array to which the stations of a reply are copied. */
typedef struct station_list {
    wxf_station *stations;
    uint32_t count;
    uint32_t next;
} station_list;

static int copy_station(void *user, const wxf_station *station) {
    station_list *to = (station_list *)user;
    if (to->next == to->count) return 1;
    to->stations[to->next] = *station;
    to->next += 1;
    return 0;
}

int weatherd_put_stations(weatherd *service, wxf_station *stations, uint32_t count) {
    exchange in = { 0 };
    station_list to;
    int result;
    wxf_writer writer;
    wxf_status status;
    const uint64_t size = wxf_stations_size(count) + WXF_END_SIZE;
    start_call(service);
    if (count > WEATHERD_MAX_STATIONS) {
        return fail(service, WEATHERD_INVALID, "There are more than %d stations.", WEATHERD_MAX_STATIONS);
    }
    if (!reserve(&service->out, (size_t)size)) return fail(service, WEATHERD_NO_MEMORY, "There is no memory for a frame.");
    (void)wxf_writer_init(&writer, service->out.data, service->out.size);
    status = wxf_put_stations(&writer, count, stations);
    if (status == WXF_OK) status = wxf_put_end(&writer);
    if (status != WXF_OK) return fail(service, WEATHERD_INVALID, "The stations cannot be sent: %s.", wxf_status_text(status));
    to.stations = stations;
    to.count = count;
    to.next = 0;
    in.handle = handle_stations;
    in.station = copy_station;
    in.user = &to;
    (void)curl_easy_setopt(service->curl, CURLOPT_POST, 1L);
    (void)curl_easy_setopt(service->curl, CURLOPT_HTTPHEADER, service->body_headers);
    (void)curl_easy_setopt(service->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
    (void)curl_easy_setopt(service->curl, CURLOPT_POSTFIELDS, service->out.data);
    result = perform(service, "/v1/stations", &in);
    if (result == WEATHERD_OK && to.next != count) {
        return fail(service, WEATHERD_BROKEN, "The reply has %" PRIu32 " stations instead of %" PRIu32 ".", to.next, count);
    }
    return result;
}
