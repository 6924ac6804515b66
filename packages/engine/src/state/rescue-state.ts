import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { type FileSystem, programCommand, errorText } from '@terrane/host';
import { TERRAFORM_VERSION } from '../lang/version.ts';
import type { SnapshotName } from './journal-record.ts';
import type { StateFile } from './model.ts';
import type { StateCodec } from './state-codec.ts';
import { storeSnapshot } from './stored-state.ts';

/** The location for a state that cannot be stored in its backend. */
export interface RescuePlace {
  readonly files: FileSystem;
  /** `errored.tfstate` by default */
  readonly erroredPath?: string | undefined;
  /** the journal that has the changes too */
  readonly journalPath: string;
  readonly codec?: StateCodec | undefined;
}

/** Writes a state that cannot be stored, because of `error`, to a separate file, and reports its path. */
export async function rescueState(
  place: RescuePlace,
  file: StateFile,
  error: unknown,
  announce: (name: SnapshotName) => Promise<void>,
): Promise<readonly Diagnostic[]> {
  const path = place.erroredPath ?? 'errored.tfstate';
  // any-error: whatever the error is, the state must be rescued and its place shown.
  const failed = errorDiagnostic('Failed to save state', `Error saving state: ${errorText(error)}`);
  try {
    const { files } = place;
    const saved = { ...file, terraformVersion: TERRAFORM_VERSION };
    await storeSnapshot(
      {
        read: () => Promise.resolve(undefined),
        write: (data, beforeCommit) =>
          files.replaceFile(path, data, {
            mode: 0o600,
            ...(beforeCommit === undefined ? {} : { beforeCommit }),
          }),
      },
      saved,
      // Pushing that file must not look like a foreign change. On a full disk this cannot be recorded.
      async (name) => await announce(name).catch(() => {}),
      place.codec,
    );
  } catch (writeError) {
    // any-error: the user must learn that the journal is the only copy.
    return [
      failed,
      errorDiagnostic(
        'Failed to create local state file',
        `Error creating local state file for recovery: ${errorText(writeError)}`,
      ),
      errorDiagnostic(
        'Failed to persist state to backend',
        `The errors shown above prevented Terraform from writing the updated state to
the configured backend and from creating a local backup file. All changes are recorded in the
journal ${place.journalPath}, and the next run will add them to the state.
`,
      ),
    ];
  }
  return [
    failed,
    errorDiagnostic(
      'Failed to persist state to backend',
      `The error shown above has prevented Terraform from writing the updated state to the configured backend. To allow for recovery, the state has been written to the file "errored.tfstate" in the current working directory.

Running "${programCommand('apply')}" again at this point will create a forked state, making it harder to recover.

To retry writing this state, use the following command:
    ${programCommand('state push')} errored.tfstate
`,
    ),
  ];
}
