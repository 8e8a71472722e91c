/*
 * Tests of weatherd.h. The program prints the frames that it reads. The exit status is 1 after a failure.
 *
 *     frames unit            tests without a file
 *     frames write FILE      writes the golden body of C
 *     frames read FILE       prints a body of C or of the service
 *     frames fuzz FILE N     changes bytes of a body N times, with and without a new CRC, and reads it to the first fault
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "weatherd.h"

#define CHECK(condition) ((condition) ? (void)0 : fail(#condition, __LINE__))

static void fail(const char *what, int line) {
    fprintf(stderr, "frames.c:%d: This is false: %s\n", line, what);
    exit(1);
}

/* Reads a file into aligned memory, like a mapped file. */
static unsigned char *load(const char *name, size_t *size) {
    FILE *file = fopen(name, "rb");
    unsigned char *bytes;
    long length;
    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
    length = ftell(file);
    CHECK(length >= 0 && fseek(file, 0, SEEK_SET) == 0);
    *size = (size_t)length;
    bytes = (unsigned char *)malloc(*size + 1);
    CHECK(bytes != NULL && fread(bytes, 1, *size, file) == *size && fclose(file) == 0);
    return bytes;
}

/* ---- The golden body of C ---- */

#define ROWS 3u
static const uint32_t STATION[ROWS] = { 7, 7, 4294967295u };
static const int64_t TIME[ROWS] = { INT64_C(1704067200000), INT64_C(1704067800000), INT64_C(-1) };
static const uint16_t VARIABLE[2] = { WXF_AIR_TEMPERATURE, WXF_WIND_FROM_DIRECTION };

static size_t golden(unsigned char *memory, size_t size) {
    const double temperature[ROWS] = { 21.3, -0.0, 1e-300 }, direction[ROWS] = { 270, NAN, 0 };
    const double *value[2];
    wxf_station station;
    wxf_writer writer;
    value[0] = temperature;
    value[1] = direction;
    CHECK(wxf_writer_init(&writer, memory, size) == WXF_OK);
    CHECK(wxf_put_rows(&writer, ROWS, STATION, TIME, 2, VARIABLE, value) == WXF_OK);
    CHECK(wxf_make_station(&station, "KNYC", "Central Park", 40.7789, -73.9692) == WXF_OK);
    station.elevation = 47.5;
    CHECK(wxf_put_stations(&writer, 1, &station) == WXF_OK);
    CHECK(wxf_put_end(&writer) == WXF_OK);
    return writer.used;
}

/* ---- Printing ---- */

static void print_rows(const wxf_observations *rows) {
    uint32_t row, column;
    for (row = 0; row < rows->rows; row += 1) {
        printf("row %" PRIu32 " %" PRId64, rows->station[row], rows->time[row]);
        for (column = 0; column < rows->columns; column += 1) {
            const double value = wxf_value(rows, column, row);
            if (isnan(value)) printf(" %u=", (unsigned)rows->column[column].variable);
            else printf(" %u=%.17g", (unsigned)rows->column[column].variable, value);
            if (rows->quality != NULL) printf("/%u", (unsigned)wxf_qualities(rows, column)[row]);
        }
        printf("\n");
    }
}

static void print_stations(const wxf_station *stations, uint32_t count) {
    uint32_t index;
    char id[65];
    for (index = 0; index < count; index += 1) {
        const wxf_station *one = &stations[index];
        wxf_station_id(one, id);
        printf("station %" PRIu32 " %s \"%s\" %.17g %.17g", one->number, id, one->name, one->latitude, one->longitude);
        if (isnan(one->elevation)) printf(" -");
        else printf(" %.17g", one->elevation);
        if (one->first == WXF_NO_TIME) printf(" - -");
        else printf(" %" PRId64 " %" PRId64, one->first, one->last);
        printf(" %" PRIu64 "\n", one->count);
    }
}

static void print_receipt(const wxf_receipt *receipt) {
    uint32_t index;
    printf("receipt %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", receipt->inserted, receipt->updated, receipt->unchanged,
           receipt->rejected);
    for (index = 0; index < receipt->listed; index += 1) {
        const wxf_rejection *one = &receipt->rejection[index];
        printf("rejected %" PRIu64 " %u %u\n", one->row, (unsigned)one->variable, (unsigned)one->reason);
    }
}

/* Reads a body to its end or to the first fault. It prints the body if `is_printed` is set. */
static wxf_status read_body(const void *bytes, size_t size, int is_printed) {
    wxf_reader reader;
    wxf_frame frame;
    wxf_status status = wxf_reader_init(&reader, bytes, size);
    while (status == WXF_OK && (status = wxf_next(&reader, &frame)) == WXF_OK) {
        wxf_observations rows;
        const wxf_station *stations;
        wxf_receipt receipt;
        wxf_error error;
        switch (frame.header->kind) {
        case WXF_OBSERVATIONS:
            status = wxf_read_observations(&frame, &rows);
            if (status == WXF_OK && is_printed) print_rows(&rows);
            if (status == WXF_OK && !is_printed) {
                uint32_t row, column;
                volatile double sum = 0;
                for (column = 0; column < rows.columns; column += 1) {
                    for (row = 0; row < rows.rows; row += 1) {
                        sum = sum + wxf_value(&rows, column, row) + rows.station[row] + (double)rows.time[row];
                        if (rows.quality != NULL) sum = sum + wxf_qualities(&rows, column)[row];
                    }
                    CHECK(wxf_find(&rows, rows.column[column].variable) == (int)column);
                }
            }
            break;
        case WXF_STATIONS:
            status = wxf_read_stations(&frame, &stations);
            if (status == WXF_OK && is_printed) print_stations(stations, frame.header->rows);
            break;
        case WXF_RECEIPT:
            status = wxf_read_receipt(&frame, &receipt);
            if (status == WXF_OK && is_printed) print_receipt(&receipt);
            break;
        default:
            status = wxf_read_error(&frame, &error);
            if (status == WXF_OK && is_printed) printf("error %" PRIu32 " %s %s\n", error.status, error.code, error.message);
            if (status == WXF_OK && !is_printed) CHECK(strlen(error.code) < 56 && strlen(error.message) < size);
            break;
        }
    }
    if (is_printed) printf("%s\n", wxf_status_text(status));
    return status;
}

/* ---- Tests without a file ---- */

/* Reads a body of one frame in which one byte was changed and the CRC was corrected. */
static wxf_status changed(size_t at, unsigned char value) {
    uint64_t room[128];
    unsigned char *bytes = (unsigned char *)room;
    wxf_writer writer;
    wxf_header header;
    const double temperature[ROWS] = { 1, 2, 3 };
    const double *column = temperature;
    CHECK(wxf_writer_init(&writer, room, sizeof room) == WXF_OK);
    CHECK(wxf_put_rows(&writer, ROWS, STATION, TIME, 1, VARIABLE, &column) == WXF_OK);
    CHECK(wxf_put_end(&writer) == WXF_OK);
    bytes[at] = value;
    memcpy(&header, bytes, sizeof header);
    header.crc = wxf_crc32(0, bytes + 32, 72);
    memcpy(bytes, &header, sizeof header);
    return read_body(room, writer.used, 0);
}

/* Reads a body of one station. */
static wxf_status put_station(const wxf_station *station) {
    uint64_t room[64];
    wxf_writer writer;
    CHECK(wxf_writer_init(&writer, room, sizeof room) == WXF_OK);
    CHECK(wxf_put_stations(&writer, 1, station) == WXF_OK && wxf_put_end(&writer) == WXF_OK);
    return read_body(room, writer.used, 0);
}

static void unit(void) {
    uint64_t room[256];
    unsigned char *bytes = (unsigned char *)room;
    const size_t size = golden(bytes, sizeof room);
    const double nothing = 0;
    const double *column[WXF_MAX_COLUMNS + 1];
    uint16_t variable[WXF_MAX_COLUMNS + 1];
    wxf_station station;
    wxf_writer writer;
    size_t needed, length;
    uint32_t index;

    CHECK(wxf_crc32(0, "", 0) == 0);
    CHECK(wxf_crc32(0, "123456789", 9) == 0xcbf43926u);
    CHECK(wxf_crc32(wxf_crc32(0, "12345", 5), "6789", 4) == 0xcbf43926u);

    CHECK(read_body(bytes, size, 0) == WXF_END);
    for (length = 0; length < size; length += 1) CHECK(read_body(bytes, length, 0) == WXF_TRUNCATED);
    bytes[size] = 0;
    CHECK(read_body(bytes, size + 1, 0) == WXF_AFTER_END);
    CHECK(read_body(bytes + 1, size - 1, 0) == WXF_MISALIGNED);
    for (length = 0; length < size * 8; length += 1) {
        bytes[length / 8] = (unsigned char)(bytes[length / 8] ^ (1u << (length % 8)));
        CHECK(read_body(bytes, size, 0) != WXF_END);
        bytes[length / 8] = (unsigned char)(bytes[length / 8] ^ (1u << (length % 8)));
    }

    CHECK(wxf_check(bytes, 31, &needed) == WXF_NEED_MORE && needed == 32);
    CHECK(wxf_check(bytes, 32, &needed) == WXF_NEED_MORE && needed > 32);
    CHECK(wxf_check(bytes, needed, &length) == WXF_OK && length == needed);
    CHECK(wxf_check(bytes + 1, 40, &needed) == WXF_MISALIGNED);

    CHECK(changed(40, 0) == WXF_END); /* every station number is valid */
    CHECK(changed(0, 'X') == WXF_BAD_MAGIC);
    CHECK(changed(4, 9) == WXF_BAD_KIND);
    CHECK(changed(4, 4) == WXF_BAD_LENGTH);
    CHECK(changed(6, 2) == WXF_BAD_FLAGS);
    CHECK(changed(6, 1) == WXF_BAD_LENGTH);
    CHECK(changed(8, 71) == WXF_BAD_LENGTH);
    CHECK(changed(15, 255) == WXF_BAD_LENGTH);
    CHECK(changed(16, 4) == WXF_BAD_LENGTH);
    CHECK(changed(18, 2) == WXF_TOO_MANY);
    CHECK(changed(23, 255) == WXF_BAD_LENGTH);
    CHECK(changed(28, 1) == WXF_BAD_ZERO);
    CHECK(changed(32, 0) == WXF_BAD_COLUMN);
    CHECK(changed(34, 3) == WXF_BAD_COLUMN);
    CHECK(changed(34, 2) == WXF_BAD_LENGTH); /* floats take fewer bytes */
    CHECK(changed(36, 1) == WXF_BAD_ZERO);
    CHECK(changed(52, 1) == WXF_BAD_ZERO); /* padding after three stations */
    CHECK(changed(104 + 32, 2) == WXF_BAD_CRC);

    for (index = 0; index <= WXF_MAX_COLUMNS; index += 1) {
        column[index] = &nothing;
        variable[index] = (uint16_t)(index + 1);
    }
    CHECK(wxf_make_station(&station, "abc", "Name", 1, 2) == WXF_OK);
    CHECK(put_station(&station) == WXF_END);
    station.zeros[31] = 1;
    CHECK(put_station(&station) == WXF_BAD_ZERO);
    station.zeros[31] = 0;
    station.id[5] = 'x';
    CHECK(put_station(&station) == WXF_BAD_TEXT);
    station.id[5] = 0;
    memset(station.name, 'n', sizeof station.name);
    CHECK(put_station(&station) == WXF_BAD_TEXT);
    memset(station.id, 'i', sizeof station.id);
    memset(station.name, 0, sizeof station.name);
    CHECK(put_station(&station) == WXF_END);

    CHECK(wxf_writer_init(&writer, bytes + 4, 100) == WXF_MISALIGNED);
    CHECK(wxf_writer_init(&writer, bytes, 100) == WXF_OK);
    CHECK(wxf_put_rows(&writer, 1, STATION, TIME, 8, variable, column) == WXF_NO_ROOM);
    CHECK(wxf_put_rows(&writer, 65537, STATION, TIME, 0, NULL, NULL) == WXF_TOO_MANY);
    CHECK(wxf_put_rows(&writer, 1, STATION, TIME, WXF_MAX_COLUMNS + 1, variable, column) == WXF_TOO_MANY);
    variable[1] = 1;
    CHECK(wxf_put_rows(&writer, 1, STATION, TIME, 2, variable, column) == WXF_BAD_COLUMN);
    variable[1] = 0;
    CHECK(wxf_put_rows(&writer, 1, STATION, TIME, 2, variable, column) == WXF_BAD_COLUMN);
    CHECK(wxf_put_stations(&writer, 1, &station) == WXF_NO_ROOM);
    CHECK(writer.used == 0 && writer.frames == 0);
    CHECK(wxf_writer_init(&writer, bytes, 200) == WXF_OK);
    CHECK(wxf_put_rows(&writer, 0, NULL, NULL, 0, NULL, NULL) == WXF_OK && wxf_put_stations(&writer, 0, NULL) == WXF_OK);
    CHECK(wxf_put_end(&writer) == WXF_OK && read_body(bytes, writer.used, 0) == WXF_END);
    CHECK(wxf_writer_init(&writer, bytes, 47) == WXF_OK && wxf_put_end(&writer) == WXF_NO_ROOM);

    CHECK(wxf_make_station(&station, "0123456789012345678901234567890123456789012345678901234567890123", "n", 0, 0) == WXF_OK);
    CHECK(wxf_make_station(&station, "01234567890123456789012345678901234567890123456789012345678901234", "n", 0, 0) == WXF_NO_ROOM);
    CHECK(isnan(station.elevation) == 0 || station.number == 0);
    for (index = 0; index <= WXF_MISALIGNED; index += 1) CHECK(strcmp(wxf_status_text((wxf_status)index), "unknown") != 0);
    puts("ok");
}

/* ---- Arbitrary bytes ---- */

static uint32_t state = 2463534242u;

static uint32_t next_random(void) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* Sets the correct CRC of each frame, so that the parser reads the payload. */
static void repair(unsigned char *bytes, size_t size) {
    size_t at = 0;
    while (size - at >= sizeof(wxf_header)) {
        wxf_header header;
        memcpy(&header, bytes + at, sizeof header);
        if (header.length > size - at - sizeof header) return;
        header.crc = wxf_crc32(0, bytes + at + sizeof header, (size_t)header.length);
        memcpy(bytes + at, &header, sizeof header);
        at += sizeof header + (size_t)header.length;
    }
}

static void fuzz(const char *name, long times) {
    size_t size;
    unsigned char *original = load(name, &size);
    long whole = 0;
    for (; times > 0; times -= 1) {
        /* The memory has exactly this size, so that the sanitizer detects a read after its end. */
        const size_t length = next_random() % 4 == 0 ? next_random() % (size + 1) : size;
        unsigned char *bytes = (unsigned char *)malloc(length == 0 ? 1 : length);
        uint32_t changes;
        CHECK(bytes != NULL);
        memcpy(bytes, original, length);
        for (changes = next_random() % 4 + 1; changes > 0 && length > 0; changes -= 1) {
            const size_t at = next_random() % 3 == 0 ? next_random() % (length < 64 ? length : 64) : next_random() % length;
            bytes[at] = (unsigned char)(next_random() % 3 == 0 ? 255 : next_random());
        }
        if (next_random() % 8 != 0) repair(bytes, length);
        whole += read_body(bytes, length, 0) == WXF_END;
        free(bytes);
    }
    free(original);
    printf("ok, %s\n", whole > 0 ? "some bodies were complete" : "no body was complete");
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "unit") == 0) {
        unit();
    } else if (argc == 3 && strcmp(argv[1], "write") == 0) {
        uint64_t room[256];
        FILE *file = fopen(argv[2], "wb");
        const size_t size = golden((unsigned char *)room, sizeof room);
        CHECK(file != NULL && fwrite(room, 1, size, file) == size && fclose(file) == 0);
    } else if (argc == 3 && strcmp(argv[1], "read") == 0) {
        size_t size;
        unsigned char *bytes = load(argv[2], &size);
        const wxf_status status = read_body(bytes, size, 1);
        free(bytes);
        return status == WXF_END ? 0 : 1;
    } else if (argc == 4 && strcmp(argv[1], "fuzz") == 0) {
        fuzz(argv[2], atol(argv[3]));
    } else {
        fprintf(stderr, "frames unit | write FILE | read FILE | fuzz FILE N\n");
        return 2;
    }
    return 0;
}
