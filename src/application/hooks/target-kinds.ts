import { type ServiceTarget, TARGET_SETTINGS, type TargetSettings } from '#domain/hooks/hook-target.js';
import { nearestName } from '#domain/nearest-name.js';
import { quoted } from '#domain/quoted.js';
import type { TargetKind } from '../ports/target-kind.js';

/** The owner of a target: a hook sends weather, and an alarm sends messages for people. */
export type TargetOwner = 'hook' | 'alarm';

/** How messages name the settings. */
const TITLES: Readonly<Record<keyof TargetSettings, string>> = {
  account: 'an account',
  secret: 'a secret',
  url: 'a URL',
};

const SCHEMES: NonNullable<TargetKind['schemes']> = ['https', 'http'];

/** The kinds of services that receive weather or messages. */
export class TargetKinds {
  readonly list: readonly TargetKind[];

  constructor(list: readonly TargetKind[]) {
    this.list = list;
  }

  /** The kinds that a hook or an alarm can have as target. */
  of(owner: TargetOwner): readonly TargetKind[] {
    return this.list.filter((kind) => serves(kind, owner));
  }

  /** @returns undefined if there is no such kind, for example because its module was removed from the settings */
  find(name: string): TargetKind | undefined {
    return this.list.find((kind) => kind.name === name);
  }

  /** The reason why a target cannot be used, as a sentence. Undefined if its kind is known and has its settings. */
  faultOf(target: ServiceTarget, owner: TargetOwner): string | undefined {
    const kind = this.find(target.service);
    if (kind === undefined || !serves(kind, owner)) return this.#unknown(target.service, kind, owner);
    for (const name of TARGET_SETTINGS) {
      const isNeeded = kind.settings[name];
      if (target[name] === undefined ? isNeeded === true : isNeeded === undefined)
        return `A target of the kind ${kind.name} ${isNeeded === true ? 'needs' : 'cannot have'} ${TITLES[name]}.`;
    }
    const { schemes = SCHEMES } = kind;
    if (target.url !== undefined && !schemes.some((scheme) => target.url?.startsWith(`${scheme}:`)))
      return `The URL of a target of the kind ${kind.name} begins with ${schemes.join(': or ')}:.`;
    return kind.faultOf?.(target);
  }

  #unknown(name: string, kind: TargetKind | undefined, owner: TargetOwner): string {
    const names = this.of(owner).map((one) => one.name);
    const known = names.length === 0 ? 'There are none.' : `The services are: ${names.join(', ')}.`;
    if (kind !== undefined)
      return owner === 'hook'
        ? `${kind.title} receives messages for people and no weather. ${known}`
        : `${kind.title} receives the weather of a station and no messages for people. ${known}`;
    const nearest = nearestName(name, names);
    return `There is no service ${quoted(name)}.${nearest === undefined ? '' : ` Did you mean ${nearest}?`} ${known}`;
  }
}

function serves(kind: TargetKind, owner: TargetOwner): boolean {
  return owner === 'hook' ? kind.weather !== undefined : kind.notify !== undefined;
}
