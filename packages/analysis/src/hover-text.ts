import type { AttributeSchema, BlockSchema } from '@terrane/provider';
import { attributeDetail } from './completion/completion-item.ts';

/** Describes an argument: its name, type and documentation. */
export function attributeLines(name: string, attribute: AttributeSchema): readonly string[] {
  const lines = [code(`${name}  # ${attributeDetail(attribute)}`)];
  if (attribute.description !== undefined && attribute.description !== '')
    lines.push(attribute.description);
  return lines;
}

/** Describes a block: its name and documentation. */
export function blockLines(name: string, block: BlockSchema): string {
  const lines = [code(name)];
  if (block.deprecated === true)
    lines.push(`**Deprecated.** ${block.deprecationMessage ?? ''}`.trimEnd());
  if (block.description !== undefined && block.description !== '') lines.push(block.description);
  return lines.join('\n\n');
}

/** A code block of the language. */
export function code(text: string): string {
  return `\`\`\`terraform\n${text.replaceAll('`', 'ˋ')}\n\`\`\``;
}
