// Prints the newest row of each station: an example of the header and the library in C++11.
//
//     newest [URL]        default: http://127.0.0.1:8081
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "weatherd_client.h"

namespace {

using Service = std::unique_ptr<weatherd, void (*)(weatherd *)>;
using Names = std::map<std::uint32_t, std::string>;

int name(void *user, const wxf_station *station) {
    (*static_cast<Names *>(user))[station->number] = station->name;
    return 0;
}

int print(void *user, const wxf_observations *rows, std::uint32_t row) {
    Names &names = *static_cast<Names *>(user);
    std::printf("%s, %lld ms:", names[rows->station[row]].c_str(), static_cast<long long>(rows->time[row]));
    for (std::uint32_t column = 0; column < rows->columns; ++column) {
        const double value = wxf_value(rows, column, row);
        if (!std::isnan(value)) std::printf(" %u=%g", static_cast<unsigned>(rows->column[column].variable), value);
    }
    std::printf("\n");
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    const Service service(weatherd_connect(argc > 1 ? argv[1] : "http://127.0.0.1:8081",
                                           std::getenv("WEATHERD_INTERNAL_SECRET")),
                          weatherd_close);
    Names names;
    if (!service) return EXIT_FAILURE;
    if (weatherd_stations(service.get(), name, &names) != WEATHERD_OK ||
        weatherd_newest(service.get(), nullptr, 0, print, &names) != WEATHERD_OK) {
        std::fprintf(stderr, "newest: %s\n", weatherd_error(service.get()));
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
