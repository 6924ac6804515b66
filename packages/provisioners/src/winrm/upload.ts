import { TextTail, userErrorText } from '@terrane/host';
import type { Listener, WinrmShells } from './shell.ts';

/** The maximum length of a command line for `cmd`: 8,191 characters, less those that Windows adds. */
const MAX_LINE_LENGTH = 8_000;
/** The number of commands that the shells of all versions of Windows allow. */
const MAX_COMMANDS = 15;
/** The number of characters at the end of a command's output that an error quotes. */
const QUOTED_OUTPUT = 8 * 1024;

/**
 * Uploads a file: its content is sent in Base64, by line into a temporary file, which PowerShell decodes. Missing
 * directories are created.
 */
export async function uploadFile(
  shells: WinrmShells,
  path: string,
  data: Uint8Array,
  id: string,
): Promise<void> {
  const name = `terrane-${id}.tmp`;
  const from = `$env:TEMP\\${name}`;
  const to = windowsPath(path);
  try {
    await explainFailure(
      `Error uploading file to ${from}`,
      sendLines(shells, `%TEMP%\\${name}`, data),
    );
    await explainFailure(
      `Error restoring file from ${from} to ${to}`,
      shells.use((shell) => command(shells, shell, powershell(restoring(from, to)), 'restore')),
    );
  } catch (error) {
    const last = shells.afterAll();
    await last
      .use((shell) => last.run(shell, `del /q "%TEMP%\\${name}"`, () => {}))
      // The first error is reported.
      .catch(() => {});
    throw error;
  }
}

async function sendLines(shells: WinrmShells, target: string, data: Uint8Array): Promise<void> {
  const size = Math.floor((MAX_LINE_LENGTH - target.length) / 4) * 3;
  for (let at = 0; at < data.length; at += size * MAX_COMMANDS) {
    const share = data.subarray(at, at + size * MAX_COMMANDS);
    await shells.use(async (shell) => {
      for (let start = 0; start < share.length; start += size) {
        const line = Buffer.from(share.subarray(start, start + size)).toString('base64');
        await command(shells, shell, `echo ${line} >> "${target}"`, 'upload');
      }
    });
  }
}

/** Runs a command of an upload; its error output becomes part of the error. */
async function command(
  shells: WinrmShells,
  shell: string,
  line: string,
  operation: string,
): Promise<void> {
  const errorOutput = new TextTail(QUOTED_OUTPUT);
  const listen: Listener = ({ stream, data }) => {
    if (stream === 'stderr') errorOutput.write(data.toString('latin1'));
  };
  const code = await shells.run(shell, line, listen);
  if (code === 0) return;
  const reason = Buffer.from(errorOutput.text, 'latin1')
    .toString('utf8')
    .trim()
    .replaceAll(/\s+/g, ' ');
  throw new Error(
    `${operation} operation returned code=${code}${reason === '' ? '' : `: ${reason}`}`,
  );
}

async function explainFailure(subject: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw new Error(`${subject}: ${userErrorText(error)}`);
  }
}

/** Converts a path to backslashes, and removes quotation marks around it. */
function windowsPath(path: string): string {
  return path.replaceAll(/^['"]+|['"]+$/g, '').replaceAll('/', '\\');
}

/** A command line that runs a script of PowerShell. */
export function powershell(script: string): string {
  return `powershell.exe -NoProfile -NonInteractive -EncodedCommand ${Buffer.from(script, 'utf16le').toString('base64')}`;
}

/** Creates the target file from the temporary one, which may be missing for empty content, and removes the latter. */
function restoring(from: string, to: string): string {
  return `$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$from = [System.IO.Path]::GetFullPath(${expandable(from)})
try {
  $to = [System.IO.Path]::GetFullPath(${expandable(to)})
  if ([System.IO.Directory]::Exists($to)) { throw "$to is a directory" }
  $directory = [System.IO.Path]::GetDirectoryName($to)
  if ($directory) { [void][System.IO.Directory]::CreateDirectory($directory) }
  $writer = [System.IO.File]::Create($to)
  try {
    if ([System.IO.File]::Exists($from)) {
      $reader = [System.IO.File]::OpenText($from)
      try {
        while (($line = $reader.ReadLine()) -ne $null) {
          $bytes = [System.Convert]::FromBase64String($line)
          $writer.Write($bytes, 0, $bytes.Length)
        }
      } finally {
        $reader.Close()
      }
    }
  } finally {
    $writer.Close()
  }
} catch {
  [Console]::Error.WriteLine($_.Exception.Message)
  exit 1
} finally {
  [System.IO.File]::Delete($from)
}
`;
}

/** Quotes a text in which PowerShell only replaces variables, such as `$env:TEMP`. */
function expandable(text: string): string {
  return `"${text.replaceAll(/["\u201C-\u201E\u0060]/g, (mark) => (mark === '\u0060' ? '``' : mark + mark))}"`;
}
