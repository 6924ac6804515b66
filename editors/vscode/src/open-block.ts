import { RelativePattern, Selection, TextEditorRevealType, window, workspace } from 'vscode';
import { headerPattern } from './block.ts';
import { parentOf } from './root-module.ts';
import type { Row } from './row.ts';

/** Opens the block of an object. Objects of called modules are searched in all folders of the workspace. */
export async function openBlock(row: Row | undefined): Promise<void> {
  if (row?.module === undefined || row.address === undefined) return;
  const pattern = headerPattern(row.address);
  if (pattern === undefined) return;
  const isOwn = !row.address.startsWith('module.');
  const search = new RelativePattern(
    isOwn ? row.module.uri : row.module.folder,
    isOwn ? '*.{tf,tofu}' : '**/*.{tf,tofu}',
  );
  for (const uri of await workspace.findFiles(search, undefined, 5000)) {
    const document = await workspace.openTextDocument(uri);
    const match = pattern.exec(document.getText());
    if (match === null) continue;
    const position = document.positionAt(match.index);
    const editor = await window.showTextDocument(document, {
      selection: new Selection(position, position),
    });
    editor.revealRange(editor.selection, TextEditorRevealType.InCenterIfOutsideViewport);
    return;
  }
  void window.showInformationMessage(
    `No block of ${row.address} was found in ${workspace.asRelativePath(parentOf(row.module.uri))}.`,
  );
}
