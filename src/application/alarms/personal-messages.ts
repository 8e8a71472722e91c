import { shortened } from '#domain/shortened.js';
import type { StationPicture } from '../ports/station-picture.js';
import type { PersonalMessage } from '../ports/target-kind.js';
import type { AlarmFields } from './alarm-event.js';
import { personalText } from './words/personal-text.js';
import { type Language, WORDS } from './words/alarm-words.js';
import { timeText } from './words/quantity-text.js';

/** Largest number of alarms that a digest names in a line of their own. */
const MAX_LINES = 20;
/** Largest number of further stations that a digest names. With `MAX_NAME`, a digest fits into a message of each service. */
const MAX_STATIONS = 20;

/** Largest number of characters of the name of a station in a digest. */
const MAX_NAME = 40;

/** Writes the messages of alarms for people, in the language of the operator. */
export class PersonalMessages {
  readonly #language: Language;
  readonly #publicUrl: string | undefined;
  readonly #picture: StationPicture | undefined;

  /**
   * @param publicUrl address of the pages for visitors, without a slash at its end; without it, messages have no link
   * @param picture draws the stations of messages when they are sent; without it, messages have no picture
   */
  constructor(language: Language, publicUrl?: string, picture?: StationPicture) {
    this.#language = language;
    this.#publicUrl = publicUrl;
    this.#picture = picture;
  }

  /** Writes a message about an alarm. Equal input gives an equal message, except for its picture. */
  write(fields: AlarmFields): PersonalMessage {
    const { id, event, alarm, station } = fields;
    const { title, text } = personalText(WORDS[this.#language], fields);
    const picture = this.#picture;
    return {
      id,
      title,
      text,
      urgency: urgencyOf(fields),
      ...(station && { station: { id: station.id, name: station.name } }),
      ...(station &&
        this.#publicUrl !== undefined && {
          link: `${this.#publicUrl}/stations/${encodeURIComponent(station.id)}`,
        }),
      ...(station && picture && { picture: () => picture.draw(station.id) }),
      fields: {
        id,
        title,
        text,
        event,
        alarm: alarm.name,
        'station.id': station?.id ?? '',
        'station.name': station?.name ?? WORDS[this.#language].allStations,
      },
    };
  }

  /** Writes one message about several. It names each alarm or, beyond `MAX_LINES`, counts the alarms of each station. */
  digest(id: string, all: readonly AlarmFields[]): PersonalMessage {
    const words = WORDS[this.#language];
    const title = words.digest(all.length);
    const lines = all.slice(0, MAX_LINES).map((fields) => {
      const { what } = personalText(words, fields);
      const { station, state } = fields;
      const name = shortened(station?.name ?? words.allStations, MAX_NAME);
      const time = state.since ?? state.time;
      return words.digestLine(name, what, time === null ? '–' : timeText(words, time, station?.timeZone));
    });
    const more = all.slice(MAX_LINES);
    const text = [words.digestMeaning, ...lines, ...(more.length === 0 ? [] : [this.#counted(more)])].join(
      '\n',
    );
    return {
      id,
      title,
      text,
      urgency: all.some((fields) => urgencyOf(fields) !== 'low') ? 'normal' : 'low',
      fields: {
        id,
        title,
        text,
        event: 'digest',
        alarm: '',
        'station.id': '',
        'station.name': words.allStations,
      },
    };
  }

  #counted(more: readonly AlarmFields[]): string {
    const words = WORDS[this.#language];
    const counts = new Map<string, { readonly name: string; count: number }>();
    for (const { station } of more) {
      const known = counts.get(station?.id ?? '');
      if (known === undefined)
        counts.set(station?.id ?? '', {
          name: shortened(station?.name ?? words.allStations, MAX_NAME),
          count: 1,
        });
      else known.count += 1;
    }
    const named = [...counts.values()];
    const further = named.slice(MAX_STATIONS);
    const rest = further.reduce((sum, { count }) => sum + count, 0);
    const stations = [
      ...named.slice(0, MAX_STATIONS).map(({ name, count }) => words.digestOfStation(name, count)),
      ...(rest === 0 ? [] : [words.digestFurther(further.length, rest)]),
    ];
    return words.digestMore(more.length, stations.join(', '));
  }
}

function urgencyOf({ event }: Pick<AlarmFields, 'event'>): PersonalMessage['urgency'] {
  return event === 'cleared' ? 'low' : 'normal';
}
