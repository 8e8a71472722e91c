import { ecowittPreset } from './ecowitt-preset.js';
import { esphome } from './esphome.js';
import type { Preset } from './preset.js';
import { rtl433 } from './rtl-433.js';
import { tasmota } from './tasmota.js';
import { weewxPreset } from './weewx-preset.js';
import { zigbee2mqtt } from './zigbee2mqtt.js';

/** The presets by their name in a mapping file. */
export const PRESETS: Readonly<Record<string, Preset>> = {
  'weewx-mqtt': weewxPreset,
  rtl_433: rtl433,
  ecowitt: ecowittPreset,
  tasmota,
  zigbee2mqtt,
  esphome,
};
