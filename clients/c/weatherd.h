/*
 * weatherd.h of weatherd 1.0.0: reads and writes frames, the binary format of the internal API.
 *
 * One file for C99 and C++11. It has no dependencies and allocates no memory: it works in memory of the caller, for example
 * in a file that is mapped into memory. It checks each length before it reads data. docs/frames.md describes the format.
 *
 *     Writing                                       Reading
 *     wxf_writer w;                                 wxf_reader r; wxf_frame f; wxf_observations o;
 *     wxf_writer_init(&w, memory, size);            wxf_reader_init(&r, body, length);
 *     wxf_put_rows(&w, rows, station, time,         while (wxf_next(&r, &f) == WXF_OK)
 *                  columns, variable, value);           if (wxf_read_observations(&f, &o) == WXF_OK)
 *     wxf_put_end(&w);                                      ... o.station[row], o.time[row], wxf_value(&o, column, row)
 *     send(w.data, w.used);                         (wxf_read_error reads the message of an error frame)
 *
 * Memory for frames must start at a multiple of 8 bytes, like memory of malloc and mmap. The machine must be little-endian.
 * Several threads may call the functions if they do not share a writer or a reader.
 *
 * The library libweatherd sends and receives such bodies with libcurl; see weatherd_client.h.
 */
#ifndef WEATHERD_H
#define WEATHERD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "weatherd.h needs a little-endian machine, because it reads frames without copying them"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define WEATHERD_VERSION "1.0.0"

/* Media type of bodies of frames, for Content-Type and Accept. */
#define WXF_MEDIA_TYPE "application/vnd.weatherd.frames"
/* Maximum number of rows in a frame of observations or stations. */
#define WXF_MAX_ROWS 65536u
/* Maximum number of columns in a frame. */
#define WXF_MAX_COLUMNS 32u
/* Value of `first` and `last` of a station without observations. */
#define WXF_NO_TIME INT64_MIN

enum wxf_kind { WXF_OBSERVATIONS = 1, WXF_STATIONS = 2, WXF_RECEIPT = 3, WXF_ERROR = 4, WXF_END_FRAME = 5 };

/* Bit of wxf_header.flags: the values are followed by one quality byte for each value. */
enum { WXF_WITH_QUALITY = 1 };

enum wxf_type { WXF_F64 = 1, WXF_F32 = 2 };

enum wxf_quality { WXF_ABSENT = 0, WXF_PASS = 1, WXF_SUSPECT = 2, WXF_FAIL = 3 };

/* The reason why a row was rejected. */
enum wxf_reason {
    WXF_STATION_UNKNOWN = 1,
    WXF_TIME_OUT_OF_RANGE = 2, /* before 1600, or more than ten minutes ahead of the clock of the service */
    WXF_VARIABLE_UNKNOWN = 3,  /* the row has a value of an unknown variable */
    WXF_VALUE_NOT_FINITE = 4,
    WXF_ROW_REFUSED = 5 /* the row has no value */
};

/* Variables by CF standard name, with the unit of their values. */
enum wxf_variable {
    /* <variables> */
    WXF_AIR_TEMPERATURE = 1, /* °C */
    WXF_DEW_POINT_TEMPERATURE = 2, /* °C */
    WXF_RELATIVE_HUMIDITY = 3, /* % */
    WXF_SURFACE_AIR_PRESSURE = 4, /* hPa */
    WXF_AIR_PRESSURE_AT_MEAN_SEA_LEVEL = 5, /* hPa */
    WXF_WIND_SPEED = 6, /* m/s */
    WXF_WIND_FROM_DIRECTION = 7, /* degree */
    WXF_WIND_SPEED_OF_GUST = 8, /* m/s */
    WXF_PRECIPITATION_AMOUNT = 9, /* mm */
    WXF_RAINFALL_RATE = 10, /* mm/h */
    WXF_SURFACE_DOWNWELLING_SHORTWAVE_FLUX_IN_AIR = 11, /* W/m² */
    WXF_ULTRAVIOLET_INDEX = 12, /* 1 */
    WXF_DURATION_OF_SUNSHINE = 13, /* s */
    WXF_VISIBILITY_IN_AIR = 14, /* m */
    WXF_CLOUD_AREA_FRACTION = 15, /* % */
    WXF_SURFACE_SNOW_THICKNESS = 16, /* m */
    WXF_SOIL_TEMPERATURE = 17, /* °C */
    WXF_VOLUME_FRACTION_OF_CONDENSED_WATER_IN_SOIL = 18, /* 1 */
    WXF_MASS_CONCENTRATION_OF_PM2P5_AMBIENT_AEROSOL_PARTICLES_IN_AIR = 19, /* µg/m³ */
    WXF_MASS_CONCENTRATION_OF_PM10_AMBIENT_AEROSOL_PARTICLES_IN_AIR = 20, /* µg/m³ */
    WXF_WIND_GUST_FROM_DIRECTION = 21, /* degree */
    WXF_MOLE_FRACTION_OF_CARBON_DIOXIDE_IN_AIR = 22, /* ppm */
    WXF_MASS_CONCENTRATION_OF_PM1_AMBIENT_AEROSOL_PARTICLES_IN_AIR = 23, /* µg/m³ */
    WXF_VOLUME_FRACTION_OF_CONDENSED_WATER_IN_SOIL_PORES = 24, /* 1 */
    WXF_LIGHTNING_STRIKE_COUNT = 25, /* 1 */
    WXF_LEAF_WETNESS = 26, /* % */
    WXF_PRECIPITATION_TRACE = 27, /* 1 */
    WXF_THICKNESS_OF_SNOWFALL_AMOUNT = 28, /* mm */
    WXF_DAILY_MAXIMUM_AIR_TEMPERATURE = 29, /* °C */
    WXF_DAILY_MINIMUM_AIR_TEMPERATURE = 30, /* °C */
    WXF_DAILY_MEAN_AIR_TEMPERATURE = 31, /* °C */
    WXF_DAILY_PRECIPITATION_AMOUNT = 32, /* mm */
    WXF_DAILY_PRECIPITATION_TRACE = 33, /* 1 */
    WXF_DAILY_THICKNESS_OF_SNOWFALL_AMOUNT = 34, /* mm */
    WXF_DAILY_MAXIMUM_WIND_SPEED_OF_GUST = 35, /* m/s */
    WXF_DAILY_SURFACE_SNOW_THICKNESS = 36, /* m */
    WXF_DAILY_DURATION_OF_SUNSHINE = 37, /* s */
    WXF_DAILY_MEAN_WIND_SPEED = 38, /* m/s */
    WXF_DAILY_MAXIMUM_WIND_SPEED = 39, /* m/s */
    WXF_DAILY_MEAN_WIND_FROM_DIRECTION = 40, /* degree */
    WXF_DAILY_MEAN_RELATIVE_HUMIDITY = 41, /* % */
    WXF_DAILY_MEAN_DEW_POINT_TEMPERATURE = 42, /* °C */
    WXF_DAILY_MEAN_SURFACE_AIR_PRESSURE = 43, /* hPa */
    WXF_DAILY_MEAN_AIR_PRESSURE_AT_MEAN_SEA_LEVEL = 44, /* hPa */
    WXF_DAILY_MEAN_SURFACE_DOWNWELLING_SHORTWAVE_FLUX_IN_AIR = 45, /* W/m² */
    WXF_DAILY_MEAN_CLOUD_AREA_FRACTION = 46, /* % */
    WXF_DAILY_MEAN_VISIBILITY_IN_AIR = 47, /* m */
    WXF_DAILY_SNOWFALL_TRACE = 48, /* 1 */
    WXF_DAILY_SURFACE_SNOW_TRACE = 49, /* 1 */
    WXF_MULTIDAY_PRECIPITATION_AMOUNT = 50, /* mm */
    WXF_MULTIDAY_PRECIPITATION_DAYS = 51, /* 1 */
    WXF_MULTIDAY_THICKNESS_OF_SNOWFALL_AMOUNT = 52, /* mm */
    WXF_MULTIDAY_SNOWFALL_DAYS = 53, /* 1 */
    /* </variables> */
    WXF_VARIABLE_NONE = 0
};

typedef struct wxf_header {
    char magic[4]; /* WXF1 */
    uint16_t kind;
    uint16_t flags;
    uint64_t length; /* length of the payload in bytes */
    uint32_t rows;
    uint32_t columns;
    uint32_t crc; /* CRC-32 of the payload */
    uint32_t zero;
} wxf_header;

typedef struct wxf_column {
    uint16_t variable;
    uint16_t type;
    uint32_t zero;
} wxf_column;

typedef struct wxf_station {
    uint32_t number; /* 0: unknown; the service assigns a number */
    uint32_t zero;
    double latitude;  /* degrees north */
    double longitude; /* degrees east */
    double elevation; /* meters, NaN: unknown */
    int64_t first;    /* milliseconds since 1970-01-01T00:00:00Z, or WXF_NO_TIME; ignored by the service */
    int64_t last;
    uint64_t count;
    char id[64];    /* zero-terminated if it is shorter than 64 bytes; see wxf_station_id */
    char name[104]; /* UTF-8, zero-terminated; a long name is truncated between two characters */
    char zeros[32];
} wxf_station;

typedef struct wxf_rejection {
    uint64_t row;      /* row number in the whole body, starting at 0 */
    uint16_t variable; /* 0: the whole row */
    uint16_t reason;
    uint32_t zero;
} wxf_rejection;

#if defined(__cplusplus)
#define WXF_ASSERT(condition, name) static_assert(condition, #name)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define WXF_ASSERT(condition, name) _Static_assert(condition, #name)
#else
#define WXF_ASSERT(condition, name) typedef char wxf_assert_##name[(condition) ? 1 : -1]
#endif
WXF_ASSERT(sizeof(double) == 8, double_has_8_bytes);
WXF_ASSERT(sizeof(float) == 4, float_has_4_bytes);
WXF_ASSERT(sizeof(wxf_header) == 32, header_has_32_bytes);
WXF_ASSERT(offsetof(wxf_header, length) == 8, length_at_8);
WXF_ASSERT(offsetof(wxf_header, crc) == 24, crc_at_24);
WXF_ASSERT(sizeof(wxf_column) == 8, column_has_8_bytes);
WXF_ASSERT(sizeof(wxf_station) == 256, station_has_256_bytes);
WXF_ASSERT(offsetof(wxf_station, latitude) == 8, latitude_at_8);
WXF_ASSERT(offsetof(wxf_station, id) == 56, id_at_56);
WXF_ASSERT(offsetof(wxf_station, name) == 120, name_at_120);
WXF_ASSERT(sizeof(wxf_rejection) == 16, rejection_has_16_bytes);

typedef enum wxf_status {
    WXF_OK = 0,
    WXF_END,           /* the end frame has been read: the body is complete */
    WXF_NEED_MORE,     /* the frame is not complete yet, in a body that is still arriving */
    WXF_TRUNCATED,     /* the body is truncated */
    WXF_BAD_MAGIC,     /* this is not a frame */
    WXF_BAD_KIND,      /* the kind is unknown, or it is not the requested kind */
    WXF_BAD_FLAGS,     /* this kind does not have these flags */
    WXF_BAD_LENGTH,    /* the length does not match the rows and columns */
    WXF_BAD_CRC,       /* the payload is damaged */
    WXF_BAD_ZERO,      /* a field or padding that must be zero is not zero */
    WXF_BAD_COLUMN,    /* variable 0, a repeated variable, or an unknown type */
    WXF_BAD_QUALITY,   /* a quality byte has an unknown value */
    WXF_BAD_TEXT,      /* a text has no terminating zero, or is followed by other bytes */
    WXF_BAD_COUNT,     /* the counts of the end frame are wrong */
    WXF_TOO_MANY,      /* the frame has too many rows or columns */
    WXF_AFTER_END,     /* bytes follow the end frame */
    WXF_NO_ROOM,       /* the memory is too small */
    WXF_MISALIGNED     /* the memory does not start at a multiple of 8 bytes */
} wxf_status;

/* A description of a status, in English and without a period. */
static inline const char *wxf_status_text(wxf_status status) {
    switch (status) {
    case WXF_OK: return "ok";
    case WXF_END: return "the end of the body";
    case WXF_NEED_MORE: return "the frame is not complete yet";
    case WXF_TRUNCATED: return "the body is truncated";
    case WXF_BAD_MAGIC: return "this is not a frame: its magic is not WXF1";
    case WXF_BAD_KIND: return "this kind of frame is unknown or not allowed here";
    case WXF_BAD_FLAGS: return "this kind of frame does not have these flags";
    case WXF_BAD_LENGTH: return "the length of the frame does not match its rows and columns";
    case WXF_BAD_CRC: return "the CRC is wrong: the payload is damaged";
    case WXF_BAD_ZERO: return "bytes that must be zero are not zero";
    case WXF_BAD_COLUMN: return "a column is invalid: variable 0, a repeated variable, or an unknown type";
    case WXF_BAD_QUALITY: return "a quality byte has an unknown value";
    case WXF_BAD_TEXT: return "a text has no terminating zero, or is followed by other bytes";
    case WXF_BAD_COUNT: return "the counts of the end frame are wrong";
    case WXF_TOO_MANY: return "the frame has too many rows or columns";
    case WXF_AFTER_END: return "bytes follow the end frame";
    case WXF_NO_ROOM: return "the memory is too small";
    case WXF_MISALIGNED: return "the memory does not start at a multiple of 8 bytes";
    }
    return "unknown";
}

/* ---- CRC-32 (IEEE 802.3, as in zlib), eight bytes at a time ---------------------------------------------------------- */

/* The CRC is linear, so 8 numbers, one for each bit of the index, define all 256 entries of a table. */
#define WXF_T1(i, b0, b1, b2, b3, b4, b5, b6, b7) \
    ((((i) & 1) ? b0 : 0u) ^ (((i) & 2) ? b1 : 0u) ^ (((i) & 4) ? b2 : 0u) ^ (((i) & 8) ? b3 : 0u) ^ \
     (((i) & 16) ? b4 : 0u) ^ (((i) & 32) ? b5 : 0u) ^ (((i) & 64) ? b6 : 0u) ^ (((i) & 128) ? b7 : 0u))
#define WXF_T4(i, ...) \
    WXF_T1(i, __VA_ARGS__), WXF_T1((i) + 1, __VA_ARGS__), WXF_T1((i) + 2, __VA_ARGS__), WXF_T1((i) + 3, __VA_ARGS__)
#define WXF_T16(i, ...) \
    WXF_T4(i, __VA_ARGS__), WXF_T4((i) + 4, __VA_ARGS__), WXF_T4((i) + 8, __VA_ARGS__), WXF_T4((i) + 12, __VA_ARGS__)
#define WXF_T64(i, ...) \
    WXF_T16(i, __VA_ARGS__), WXF_T16((i) + 16, __VA_ARGS__), WXF_T16((i) + 32, __VA_ARGS__), WXF_T16((i) + 48, __VA_ARGS__)
#define WXF_T256(...) \
    { WXF_T64(0, __VA_ARGS__), WXF_T64(64, __VA_ARGS__), WXF_T64(128, __VA_ARGS__), WXF_T64(192, __VA_ARGS__) }

/*
 * Computes the CRC-32 of `length` bytes. `crc` is 0, or the CRC-32 of the preceding bytes.
 */
static inline uint32_t wxf_crc32(uint32_t crc, const void *data, size_t length) {
    static const uint32_t table[8][256] = {
        WXF_T256(0x77073096u, 0xee0e612cu, 0x076dc419u, 0x0edb8832u, 0x1db71064u, 0x3b6e20c8u, 0x76dc4190u, 0xedb88320u),
        WXF_T256(0x191b3141u, 0x32366282u, 0x646cc504u, 0xc8d98a08u, 0x4ac21251u, 0x958424a2u, 0xf0794f05u, 0x3b83984bu),
        WXF_T256(0x01c26a37u, 0x0384d46eu, 0x0709a8dcu, 0x0e1351b8u, 0x1c26a370u, 0x384d46e0u, 0x709a8dc0u, 0xe1351b80u),
        WXF_T256(0xb8bc6765u, 0xaa09c88bu, 0x8f629757u, 0xc5b428efu, 0x5019579fu, 0xa032af3eu, 0x9b14583du, 0xed59b63bu),
        WXF_T256(0x3d6029b0u, 0x7ac05360u, 0xf580a6c0u, 0x30704bc1u, 0x60e09782u, 0xc1c12f04u, 0x58f35849u, 0xb1e6b092u),
        WXF_T256(0xcb5cd3a5u, 0x4dc8a10bu, 0x9b914216u, 0xec53826du, 0x03d6029bu, 0x07ac0536u, 0x0f580a6cu, 0x1eb014d8u),
        WXF_T256(0xa6770bb4u, 0x979f1129u, 0xf44f2413u, 0x33ef4e67u, 0x67de9cceu, 0xcfbd399cu, 0x440b7579u, 0x8816eaf2u),
        WXF_T256(0xccaa009eu, 0x4225077du, 0x844a0efau, 0xd3e51bb5u, 0x7cbb312bu, 0xf9766256u, 0x299dc2edu, 0x533b85dau)
    };
    const unsigned char *bytes = (const unsigned char *)data;
    crc = ~crc;
    for (; length >= 8; length -= 8, bytes += 8) {
        uint32_t low, high;
        memcpy(&low, bytes, 4);
        memcpy(&high, bytes + 4, 4);
        low ^= crc;
        crc = table[7][low & 255u] ^ table[6][(low >> 8) & 255u] ^ table[5][(low >> 16) & 255u] ^ table[4][low >> 24] ^
              table[3][high & 255u] ^ table[2][(high >> 8) & 255u] ^ table[1][(high >> 16) & 255u] ^ table[0][high >> 24];
    }
    for (; length > 0; length -= 1, bytes += 1) crc = table[0][(crc ^ *bytes) & 255u] ^ (crc >> 8);
    return ~crc;
}

/*
 * ---- Checking ---------------------------------------------------------------------------------------------------------
 */

static inline uint64_t wxf_padded(uint64_t bytes) { return (bytes + 7u) & ~(uint64_t)7u; }

static inline int wxf_is_aligned(const void *memory) { return ((uintptr_t)memory & 7u) == 0; }

static inline int wxf_is_zero(const unsigned char *from, const unsigned char *to) {
    for (; from < to; from += 1) {
        if (*from != 0) return 0;
    }
    return 1;
}

/*
 * Checks whether the fields of a header are consistent.
 */
static inline wxf_status wxf_check_header(const wxf_header *header) {
    const uint64_t rows = header->rows, columns = header->columns, length = header->length;
    if (memcmp(header->magic, "WXF1", 4) != 0) return WXF_BAD_MAGIC;
    if (header->zero != 0) return WXF_BAD_ZERO;
    if (length % 8 != 0) return WXF_BAD_LENGTH;
    if ((header->flags & (header->kind == WXF_OBSERVATIONS ? ~WXF_WITH_QUALITY : ~0)) != 0) return WXF_BAD_FLAGS;
    switch (header->kind) {
    case WXF_OBSERVATIONS: {
        const uint64_t quality = (header->flags & WXF_WITH_QUALITY) != 0 ? columns * wxf_padded(rows) : 0;
        const uint64_t fixed = columns * sizeof(wxf_column) + wxf_padded(rows * 4) + rows * 8 + quality;
        if (rows > WXF_MAX_ROWS) return WXF_TOO_MANY;
        if (length < fixed + columns * wxf_padded(rows * 4) || length > fixed + columns * rows * 8) return WXF_BAD_LENGTH;
        return WXF_OK;
    }
    case WXF_STATIONS:
        if (rows > WXF_MAX_ROWS) return WXF_TOO_MANY;
        return columns == 0 && length == rows * sizeof(wxf_station) ? WXF_OK : WXF_BAD_LENGTH;
    case WXF_RECEIPT:
        return columns == 0 && length == 32 + rows * sizeof(wxf_rejection) ? WXF_OK : WXF_BAD_LENGTH;
    case WXF_ERROR:
        return rows == 0 && columns == 0 && length >= 72 ? WXF_OK : WXF_BAD_LENGTH;
    case WXF_END_FRAME:
        return rows == 0 && columns == 0 && length == 16 ? WXF_OK : WXF_BAD_LENGTH;
    default:
        return WXF_BAD_KIND;
    }
}

/*
 * Checks the frame at the start of `size` bytes and its CRC, for a body that is still arriving. WXF_NEED_MORE: the frame is
 * not complete; call again with at least `*needed` bytes. WXF_OK: `*needed` is the size of the frame.
 */
static inline wxf_status wxf_check(const void *bytes, size_t size, size_t *needed) {
    wxf_header header;
    wxf_status status;
    *needed = sizeof header;
    if (!wxf_is_aligned(bytes)) return WXF_MISALIGNED;
    if (size < sizeof header) return WXF_NEED_MORE;
    memcpy(&header, bytes, sizeof header);
    status = wxf_check_header(&header);
    if (status != WXF_OK) return status;
    if (header.length > SIZE_MAX - sizeof header) return WXF_BAD_LENGTH;
    *needed = sizeof header + (size_t)header.length;
    if (size < *needed) return WXF_NEED_MORE;
    if (wxf_crc32(0, (const unsigned char *)bytes + sizeof header, (size_t)header.length) != header.crc) return WXF_BAD_CRC;
    return WXF_OK;
}

/*
 * ---- Reading ----------------------------------------------------------------------------------------------------------
 */

/* A body in memory. */
typedef struct wxf_reader {
    const unsigned char *data;
    size_t size;
    size_t at;       /* offset of the next frame; after a fault, offset of the faulty frame */
    uint64_t rows;   /* number of rows that have been read, in frames of observations and stations */
    uint64_t frames; /* number of frames that have been read */
    int ended;
} wxf_reader;

/* A frame whose header and CRC have been checked. */
typedef struct wxf_frame {
    const wxf_header *header;
    const unsigned char *payload;
} wxf_frame;

static inline wxf_status wxf_reader_init(wxf_reader *reader, const void *data, size_t size) {
    memset(reader, 0, sizeof *reader);
    reader->data = (const unsigned char *)data;
    reader->size = size;
    return wxf_is_aligned(data) ? WXF_OK : WXF_MISALIGNED;
}

static inline wxf_status wxf_read_end(const wxf_reader *reader, const wxf_frame *frame) {
    uint64_t counts[2];
    memcpy(counts, frame->payload, sizeof counts);
    return counts[0] == reader->rows && counts[1] == reader->frames ? WXF_OK : WXF_BAD_COUNT;
}

/*
 * Reads the next frame. WXF_OK: `frame` is the next frame; it is not the end frame. WXF_END: the end frame has been read
 * and its counts are correct, so the body is complete. Any other status is a fault; further calls return the same status.
 */
static inline wxf_status wxf_next(wxf_reader *reader, wxf_frame *frame) {
    size_t needed;
    wxf_status status;
    if (reader->ended) return reader->at == reader->size ? WXF_END : WXF_AFTER_END;
    status = wxf_check(reader->data + reader->at, reader->size - reader->at, &needed);
    if (status == WXF_NEED_MORE) return WXF_TRUNCATED;
    if (status != WXF_OK) return status;
    frame->header = (const wxf_header *)(const void *)(reader->data + reader->at);
    frame->payload = reader->data + reader->at + sizeof(wxf_header);
    if (frame->header->kind == WXF_END_FRAME) {
        status = wxf_read_end(reader, frame);
        if (status != WXF_OK) return status;
        reader->at += needed;
        reader->ended = 1;
        return reader->at == reader->size ? WXF_END : WXF_AFTER_END;
    }
    reader->at += needed;
    reader->frames += 1;
    if (frame->header->kind == WXF_OBSERVATIONS || frame->header->kind == WXF_STATIONS) reader->rows += frame->header->rows;
    return WXF_OK;
}

/* The rows of a frame, as pointers into the body. */
typedef struct wxf_observations {
    uint32_t rows;
    uint32_t columns;
    const wxf_column *column; /* [columns] */
    const uint32_t *station;  /* [rows] numbers */
    const int64_t *time;      /* [rows] milliseconds since 1970-01-01T00:00:00Z */
    const unsigned char *values;
    const unsigned char *quality; /* NULL: not sent */
} wxf_observations;

static inline uint64_t wxf_column_size(const wxf_column *column, uint64_t rows) {
    return wxf_padded(rows * (column->type == WXF_F64 ? 8u : 4u));
}

static inline wxf_status wxf_read_observations(const wxf_frame *frame, wxf_observations *out) {
    const unsigned char *at = frame->payload;
    const unsigned char *end;
    unsigned char seen[65536 / 8]; /* one bit for each variable */
    uint64_t rows, size;
    uint32_t column;
    if (frame->header->kind != WXF_OBSERVATIONS) return WXF_BAD_KIND;
    memset(seen, 0, sizeof seen);
    end = at + frame->header->length;
    rows = out->rows = frame->header->rows;
    out->columns = frame->header->columns;
    out->column = (const wxf_column *)(const void *)at;
    at += out->columns * sizeof(wxf_column);
    for (column = 0; column < out->columns; column += 1) {
        const wxf_column *one = &out->column[column];
        if (one->variable == 0 || (one->type != WXF_F64 && one->type != WXF_F32)) return WXF_BAD_COLUMN;
        if (one->zero != 0) return WXF_BAD_ZERO;
        if ((seen[one->variable >> 3] & (1u << (one->variable & 7u))) != 0) return WXF_BAD_COLUMN;
        seen[one->variable >> 3] = (unsigned char)(seen[one->variable >> 3] | (1u << (one->variable & 7u)));
    }
    out->station = (const uint32_t *)(const void *)at;
    if (!wxf_is_zero(at + rows * 4, at + wxf_padded(rows * 4))) return WXF_BAD_ZERO;
    at += wxf_padded(rows * 4);
    out->time = (const int64_t *)(const void *)at;
    at += rows * 8;
    out->values = at;
    size = 0;
    for (column = 0; column < out->columns; column += 1) size += wxf_column_size(&out->column[column], rows);
    if ((frame->header->flags & WXF_WITH_QUALITY) != 0) size += out->columns * wxf_padded(rows);
    if (size != (uint64_t)(end - at)) return WXF_BAD_LENGTH;
    for (column = 0; column < out->columns; column += 1) {
        size = wxf_column_size(&out->column[column], rows);
        if (out->column[column].type == WXF_F32 && !wxf_is_zero(at + rows * 4, at + size)) return WXF_BAD_ZERO;
        at += size;
    }
    out->quality = (frame->header->flags & WXF_WITH_QUALITY) != 0 ? at : NULL;
    for (column = 0; out->quality != NULL && column < out->columns; column += 1) {
        for (size = 0; size < rows; size += 1) {
            if (at[size] > WXF_FAIL) return WXF_BAD_QUALITY;
        }
        if (!wxf_is_zero(at + rows, at + wxf_padded(rows))) return WXF_BAD_ZERO;
        at += wxf_padded(rows);
    }
    return WXF_OK;
}

/* The values of a column: an array of doubles, or an array of floats if the type of the column is WXF_F32. */
static inline const void *wxf_values(const wxf_observations *rows, uint32_t column) {
    const unsigned char *at = rows->values;
    uint32_t before;
    for (before = 0; before < column; before += 1) at += wxf_column_size(&rows->column[before], rows->rows);
    return at;
}

/* A value as a double; NaN if the value is missing. */
static inline double wxf_value(const wxf_observations *rows, uint32_t column, uint32_t row) {
    const void *values = wxf_values(rows, column);
    return rows->column[column].type == WXF_F64 ? ((const double *)values)[row] : (double)((const float *)values)[row];
}

/* The quality (wxf_quality) of each value of a column; NULL if the frame has no quality. */
static inline const uint8_t *wxf_qualities(const wxf_observations *rows, uint32_t column) {
    return rows->quality == NULL ? NULL : rows->quality + column * wxf_padded(rows->rows);
}

/* The index of the column of a variable; -1 if there is no such column. */
static inline int wxf_find(const wxf_observations *rows, uint16_t variable) {
    uint32_t column;
    for (column = 0; column < rows->columns; column += 1) {
        if (rows->column[column].variable == variable) return (int)column;
    }
    return -1;
}

/* Whether all bytes after the first zero of a text are zero. A text without a zero is allowed. */
static inline int wxf_ends(const char *text, size_t size) {
    const unsigned char *end = (const unsigned char *)memchr(text, 0, size);
    return end == NULL || wxf_is_zero(end, (const unsigned char *)text + size);
}

/* Sets `*stations` to an array of `header->rows` records in the body. */
static inline wxf_status wxf_read_stations(const wxf_frame *frame, const wxf_station **stations) {
    uint32_t row;
    if (frame->header->kind != WXF_STATIONS) return WXF_BAD_KIND;
    *stations = (const wxf_station *)(const void *)frame->payload;
    for (row = 0; row < frame->header->rows; row += 1) {
        const wxf_station *station = &(*stations)[row];
        const unsigned char *zeros = (const unsigned char *)station->zeros;
        if (station->zero != 0 || !wxf_is_zero(zeros, zeros + sizeof station->zeros)) return WXF_BAD_ZERO;
        if (!wxf_ends(station->name, sizeof station->name) || station->name[sizeof station->name - 1] != 0 ||
            !wxf_ends(station->id, sizeof station->id)) {
            return WXF_BAD_TEXT;
        }
    }
    return WXF_OK;
}

/* Copies the id and adds a terminating zero. In the record, an id of 64 bytes has no terminating zero. */
static inline void wxf_station_id(const wxf_station *station, char id[65]) {
    memcpy(id, station->id, sizeof station->id);
    id[sizeof station->id] = 0;
}

typedef struct wxf_receipt {
    uint64_t inserted;
    uint64_t updated;
    uint64_t unchanged;
    uint64_t rejected;
    uint32_t listed;                /* number of rejections in the array, at most 1,000 */
    const wxf_rejection *rejection; /* [listed] */
} wxf_receipt;

static inline wxf_status wxf_read_receipt(const wxf_frame *frame, wxf_receipt *out) {
    uint64_t counts[4];
    uint32_t row;
    if (frame->header->kind != WXF_RECEIPT) return WXF_BAD_KIND;
    memcpy(counts, frame->payload, sizeof counts);
    out->inserted = counts[0];
    out->updated = counts[1];
    out->unchanged = counts[2];
    out->rejected = counts[3];
    out->listed = frame->header->rows;
    out->rejection = (const wxf_rejection *)(const void *)(frame->payload + sizeof counts);
    for (row = 0; row < out->listed; row += 1) {
        if (out->rejection[row].zero != 0) return WXF_BAD_ZERO;
    }
    return WXF_OK;
}

typedef struct wxf_error {
    uint32_t status;     /* HTTP status */
    const char *code;    /* for programs, such as STATION_UNKNOWN */
    const char *message; /* for people */
} wxf_error;

static inline wxf_status wxf_read_error(const wxf_frame *frame, wxf_error *out) {
    const char *code = (const char *)frame->payload + 8;
    const char *message = code + 56;
    if (frame->header->kind != WXF_ERROR) return WXF_BAD_KIND;
    if (memchr(code, 0, 56) == NULL || memchr(message, 0, (size_t)frame->header->length - 64) == NULL) return WXF_BAD_TEXT;
    if (!wxf_is_zero(frame->payload + 4, frame->payload + 8)) return WXF_BAD_ZERO;
    memcpy(&out->status, frame->payload, 4);
    out->code = code;
    out->message = message;
    return WXF_OK;
}

/*
 * ---- Writing ----------------------------------------------------------------------------------------------------------
 */

/* A body that is written into memory. */
typedef struct wxf_writer {
    unsigned char *data;
    size_t size;
    size_t used;
    uint64_t rows;
    uint64_t frames;
} wxf_writer;

static inline wxf_status wxf_writer_init(wxf_writer *writer, void *memory, size_t size) {
    memset(writer, 0, sizeof *writer);
    writer->data = (unsigned char *)memory;
    writer->size = size;
    return wxf_is_aligned(memory) ? WXF_OK : WXF_MISALIGNED;
}

/* Size in bytes of a frame of observations with columns of doubles, without quality. */
static inline uint64_t wxf_rows_size(uint32_t rows, uint32_t columns) {
    return sizeof(wxf_header) + (uint64_t)columns * sizeof(wxf_column) + wxf_padded((uint64_t)rows * 4) + (uint64_t)rows * 8 +
           (uint64_t)columns * rows * 8;
}

/* Size in bytes of a frame of stations. */
static inline uint64_t wxf_stations_size(uint32_t stations) {
    return sizeof(wxf_header) + (uint64_t)stations * sizeof(wxf_station);
}

/* Size in bytes of an end frame. */
#define WXF_END_SIZE (sizeof(wxf_header) + 16)

/* Writes the header of a frame whose payload has been written. */
static inline void wxf_seal(wxf_writer *writer, uint16_t kind, uint64_t length, uint32_t rows, uint32_t columns) {
    unsigned char *frame = writer->data + writer->used;
    wxf_header header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, "WXF1", 4);
    header.kind = kind;
    header.length = length;
    header.rows = rows;
    header.columns = columns;
    header.crc = wxf_crc32(0, frame + sizeof header, (size_t)length);
    memcpy(frame, &header, sizeof header);
    writer->used += sizeof header + (size_t)length;
    writer->frames += 1;
    if (kind == WXF_OBSERVATIONS || kind == WXF_STATIONS) writer->rows += rows;
}

/*
 * Writes a frame of rows, which may be in any order. `station` and `time` have one entry for each row. `value` has one
 * array for each column, with NaN for missing values; `variable` has the variable of each column. There may be at most
 * WXF_MAX_ROWS rows. wxf_rows_size returns the size of the frame.
 */
static inline wxf_status wxf_put_rows(wxf_writer *writer, uint32_t rows, const uint32_t *station, const int64_t *time,
                                      uint32_t columns, const uint16_t *variable, const double *const *value) {
    const uint64_t size = wxf_rows_size(rows, columns);
    unsigned char *at;
    uint32_t column, other;
    if (rows > WXF_MAX_ROWS || columns > WXF_MAX_COLUMNS) return WXF_TOO_MANY;
    if (size > writer->size - writer->used) return WXF_NO_ROOM;
    at = writer->data + writer->used + sizeof(wxf_header);
    for (column = 0; column < columns; column += 1) {
        wxf_column one;
        for (other = 0; other < column; other += 1) {
            if (variable[other] == variable[column]) return WXF_BAD_COLUMN;
        }
        if (variable[column] == 0) return WXF_BAD_COLUMN;
        one.variable = variable[column];
        one.type = WXF_F64;
        one.zero = 0;
        memcpy(at, &one, sizeof one);
        at += sizeof one;
    }
    if (rows > 0) {
        const size_t numbers = (size_t)rows * 4, padded = (size_t)wxf_padded(numbers);
        memcpy(at, station, numbers);
        memset(at + numbers, 0, padded - numbers);
        at += padded;
        memcpy(at, time, (size_t)rows * 8);
        at += (size_t)rows * 8;
        for (column = 0; column < columns; column += 1) {
            memcpy(at, value[column], (size_t)rows * 8);
            at += (size_t)rows * 8;
        }
    }
    wxf_seal(writer, WXF_OBSERVATIONS, size - sizeof(wxf_header), rows, columns);
    return WXF_OK;
}

/*
 * Initializes a station without number, elevation and observations. WXF_NO_ROOM: the id or the name is too long.
 */
static inline wxf_status wxf_make_station(wxf_station *station, const char *id, const char *name, double latitude,
                                          double longitude) {
    const uint64_t nan_bits = UINT64_C(0x7ff8000000000000);
    memset(station, 0, sizeof *station);
    if (strlen(id) > sizeof station->id || strlen(name) >= sizeof station->name) return WXF_NO_ROOM;
    memcpy(station->id, id, strlen(id));
    memcpy(station->name, name, strlen(name));
    station->latitude = latitude;
    station->longitude = longitude;
    memcpy(&station->elevation, &nan_bits, sizeof nan_bits);
    station->first = WXF_NO_TIME;
    station->last = WXF_NO_TIME;
    return WXF_OK;
}

static inline wxf_status wxf_put_stations(wxf_writer *writer, uint32_t rows, const wxf_station *stations) {
    const uint64_t size = wxf_stations_size(rows);
    if (rows > WXF_MAX_ROWS) return WXF_TOO_MANY;
    if (size > writer->size - writer->used) return WXF_NO_ROOM;
    if (rows > 0) memcpy(writer->data + writer->used + sizeof(wxf_header), stations, (size_t)rows * sizeof *stations);
    wxf_seal(writer, WXF_STATIONS, size - sizeof(wxf_header), rows, 0);
    return WXF_OK;
}

/* Writes the end frame. A body without an end frame counts as truncated. */
static inline wxf_status wxf_put_end(wxf_writer *writer) {
    const uint64_t counts[2] = { writer->rows, writer->frames };
    if (WXF_END_SIZE > writer->size - writer->used) return WXF_NO_ROOM;
    memcpy(writer->data + writer->used + sizeof(wxf_header), counts, sizeof counts);
    wxf_seal(writer, WXF_END_FRAME, sizeof counts, 0, 0);
    return WXF_OK;
}

#ifdef __cplusplus
}
#endif

#endif
