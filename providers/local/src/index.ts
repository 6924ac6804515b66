import type { BundledProvider } from '@terrane/provider';
import { defineProvider } from '@terrane/provider/sdk';
import { commandAction } from './command-action.ts';
import { commandData, commandEphemeral } from './command-types.ts';
import { direxists } from './direxists.ts';
import { fileData, fileResource, sensitiveFileData, sensitiveFileResource } from './file.ts';

/** The provider hashicorp/local. */
export const provider: BundledProvider = {
  address: 'registry.terraform.io/hashicorp/local',
  version: '2.9.0',
  create: (ports) =>
    defineProvider({
      resources: {
        local_file: fileResource(ports),
        local_sensitive_file: sensitiveFileResource(ports),
      },
      dataSources: {
        local_command: commandData(ports),
        local_file: fileData(ports),
        local_sensitive_file: sensitiveFileData(ports),
      },
      ephemeralResources: { local_command: commandEphemeral(ports) },
      actions: { local_command: commandAction(ports) },
      functions: { direxists: direxists(ports) },
    }),
};
