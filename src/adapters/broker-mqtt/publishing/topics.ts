/** The topic with which Home Assistant says that it has started, and the payload for it. */
export const HOME_ASSISTANT_STATUS = { topic: 'homeassistant/status', online: 'online' } as const;

/** The payloads of the topic that says whether states follow. They are the defaults of Home Assistant. */
export const ONLINE = 'online';
export const OFFLINE = 'offline';

/** Begin of the ids of devices in Home Assistant. */
const DEVICE = 'weatherd_';
const CONFIG = /^homeassistant\/device\/(weatherd_[\w-]+)\/config$/;

/** The topics below which states are published. */
export class PublishedTopics {
  /** Says whether states follow: `online` or `offline`. */
  readonly status: string;
  /** The subscription that finds the states of all stations. */
  readonly allStates: string;
  /** The subscription that finds the forecasts of all stations. */
  readonly allForecasts: string;
  /** The subscription that finds the devices of Home Assistant. */
  readonly allDevices = 'homeassistant/device/+/config';
  readonly #base: string;

  /** @param base topic without a slash at its end */
  constructor(base: string) {
    this.#base = base;
    this.status = `${base}/status`;
    this.allStates = `${base}/+/state`;
    this.allForecasts = `${base}/+/forecast`;
  }

  /** @param id of a station */
  state(id: string): string {
    return `${this.#base}/${id}/state`;
  }

  /** @param id of a station */
  forecast(id: string): string {
    return `${this.#base}/${id}/forecast`;
  }

  /** The id of the station whose state has this topic; undefined for other topics. */
  stationOf(topic: string): string | undefined {
    return this.#idIn(topic, '/state');
  }

  /** The id of the station whose forecast has this topic; undefined for other topics. */
  stationOfForecast(topic: string): string | undefined {
    return this.#idIn(topic, '/forecast');
  }

  /** Whether a message of this topic comes from this service, or from another one with the same topics. */
  isPublished(topic: string): boolean {
    const station = this.stationOf(topic) ?? this.stationOfForecast(topic);
    return topic === this.status || station !== undefined || CONFIG.test(topic);
  }

  #idIn(topic: string, end: string): string | undefined {
    if (!topic.startsWith(`${this.#base}/`) || !topic.endsWith(end)) return undefined;
    const id = topic.slice(this.#base.length + 1, -end.length);
    return id === '' || id.includes('/') ? undefined : id;
  }
}

/** The id of a station as a device of Home Assistant. @param plainId `PublishedState.plainId` */
export function deviceOf(plainId: string): string {
  return `${DEVICE}${plainId}`;
}

/** The topic of the message that describes a device to Home Assistant. @param device see `deviceOf` */
export function configTopic(device: string): string {
  return `homeassistant/device/${device}/config`;
}

/** Whether a topic describes a device that a service of this kind has made. */
export function isConfigTopic(topic: string): boolean {
  return CONFIG.test(topic);
}
