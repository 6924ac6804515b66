import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { type LockInfo, programCommand } from '@terrane/host';

/** Describes the holder of a lock, worded as Terraform's. */
export function lockInfoText(info: LockInfo): string {
  return `Lock Info:
  ID:        ${info.id}
  Path:      ${info.path}
  Operation: ${info.operation}
  Who:       ${info.who}
  Version:   ${info.version}
  Created:   ${goTime(info.created)}
  Info:      ${info.info}
`;
}

/** An RFC 3339 time as Go prints it: "2024-05-01 10:00:00.123 +0000 UTC". */
function goTime(text: string): string {
  const match = /^(\d+-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (match === null) return text;
  const [, date, time, fraction = '', zone] = match;
  const digits = fraction.replace(/\.?0+$/, '');
  const offset = zone === 'Z' ? '+0000 UTC' : `${zone?.replace(':', '')} ${zone?.replace(':', '')}`;
  return `${date} ${time}${digits} ${offset}`;
}

/** The error for a lock that could not be acquired. */
export function lockFailure(message: string): Diagnostic {
  return errorDiagnostic(
    'Error acquiring the state lock',
    `Error message: ${message}

Terraform acquires a state lock to protect the state from being written
by multiple users at the same time. Please resolve the issue above and try
again. For most commands, you can disable locking with the "-lock=false"
flag, but this is not recommended.`,
  );
}

/** The error for a lock that could not be released. */
export function unlockFailure(message: string): Diagnostic {
  return errorDiagnostic(
    'Error releasing the state lock',
    `Error message: ${message}

Terraform acquires a lock when accessing your state to prevent others
running Terraform to potentially modify the state at the same time. An
error occurred while releasing this lock. This could mean that the lock
did or did not release properly. If the lock didn't release properly,
Terraform may not be able to run future commands since it'll appear as if
the lock is held.

In this scenario, please call the "force-unlock" command to unlock the
state manually. This is a very dangerous operation since if it is done
erroneously it could result in two people modifying state at the same time.
Only call this command if you're certain that the unlock above failed and
that no one else is holding a lock.`,
  );
}

/** The error for a lock that was lost while it was needed. */
export function lockLost(reason: string): Diagnostic {
  return errorDiagnostic(
    'State lock lost',
    `The lock of the state is held no more: ${reason}.

Operations that had begun were finished, and no new ones were begun. What
they did is saved, unless another error says that the state could not be
saved, and where it is then. Find out who else works with this state, for
example with "${programCommand('state lock')}", and plan again when they have finished.`,
  );
}

/** Several diagnostics as the text of one error, as Terraform joins them. */
export function joinDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const texts = diagnostics.map((d) => (d.detail === '' ? d.summary : `${d.summary}: ${d.detail}`));
  if (texts.length === 1) return texts[0] ?? '';
  return `${texts.length} problems:\n${texts.map((text) => `\n- ${text}`).join('')}`;
}
