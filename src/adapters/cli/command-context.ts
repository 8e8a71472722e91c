import type { UploadReach } from '#application/uploads/setup/upload-addresses.js';
import type { ImportContext } from '#adapters/imports/import-context.js';

/** The dependencies of a command that works on data. */
export interface CommandContext extends Omit<ImportContext, 'caller'> {
  /** The location of the data as a text for people. It does not contain the password of a database. */
  readonly location: string;
  /** Files and folders with the data of the service. Commands must not write output into them. */
  readonly dataPaths: readonly string[];
  /** The first words of a command line that uses the same data, such as `weatherd` or `node bin/weatherd.mjs`. */
  readonly command: string;
  /** Whether a service is running that uses the same data and does its background work. */
  readonly isServed: boolean;
  readonly uploads: {
    /** How weather stations that send uploads can reach the service, according to the settings of this command. */
    readonly reach: UploadReach;
    /** The addresses of this machine in its networks, without loopback addresses. */
    readonly machine: readonly string[];
  };
}

/** Opens the data, runs `work` and closes the data. */
export type WithContext = (work: (context: CommandContext) => Promise<void>) => Promise<void>;
