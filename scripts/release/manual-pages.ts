import { type Command, commandHelpText, COMMANDS, programHelp } from 'terrane/release';
import type { ArchiveFile } from './archive.ts';

/** Escapes a text for troff: backslashes, hyphens, and lines that would be requests. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

/** Returns a manual page of a help text, whose layout is kept. */
export function manualPage(name: string, summary: string, help: string, version: string): string {
  const [, usage = name, description = ''] =
    /^\s*Usage: (.+(?:\n {7}.+)*)\n([^]*)$/.exec(help) ?? [];
  const body = description.trim() === '' ? summary : description.replace(/^\n+|\n+$/g, '');
  return `.TH "${name.toUpperCase().replaceAll('-', '\\-')}" "1" "" "Terrane ${version}" "Terrane"
.SH NAME
${escaped(name)} \\- ${escaped(summary)}
.SH SYNOPSIS
.nf
${escaped(usage)}
.fi
.SH DESCRIPTION
.nf
${escaped(body)}
.fi
`;
}

/** Returns the manual pages of the program and its commands, of their help. */
export async function manualPages(version: string): Promise<readonly ArchiveFile[]> {
  const page = (name: string, summary: string, help: string): ArchiveFile => ({
    path: `man/man1/${name}.1`,
    contents: Buffer.from(manualPage(name, summary, help, version)),
  });
  const pages = [
    page('terrane', 'plan and apply Terraform and OpenTofu configurations', await programHelp()),
  ];
  for (const load of COMMANDS.values()) {
    const { command }: { readonly command: Command } = await load();
    const name = `terrane-${command.name.replaceAll(' ', '-')}`;
    pages.push(page(name, command.summary, await commandHelpText(command)));
  }
  return pages;
}
