import { parseVersionConstraint } from '@terrane/addresses';
import { asKeyword, errorDiagnostic, warningDiagnostic } from '@terrane/hcl';
import type { Attribute, Block, BodySchema, Diagnostic } from '@terrane/hcl';
import { OPENTOFU_VERSION } from '../lang/version.ts';
import { decodeVersionConstraint } from './decode-version.ts';
import type { VersionRequirement } from './model.ts';
import { staticList } from './static-value.ts';

const LANGUAGE_SCHEMA: BodySchema = {
  attributes: [{ name: 'edition' }, { name: 'experiments' }],
  blocks: [{ type: 'compatible_with' }],
};

/** Schema of `compatible_with`; entries for other programs are ignored. */
const COMPATIBLE_SCHEMA: BodySchema = { attributes: [{ name: 'opentofu' }], blocks: [] };

const FIRST_EDITION = 'tofu2024';
/** The last version before the introduction of this block. */
const BEFORE_LANGUAGE_BLOCK = '1.11.0';

/** Decodes OpenTofu's `language` block and returns its constraints for OpenTofu's version. */
export function decodeLanguage(
  block: Block,
  override: boolean,
  diagnostics: Diagnostic[],
): readonly VersionRequirement[] {
  if (override) {
    diagnostics.push(
      errorDiagnostic(
        'Language selections in override file',
        'Language-related settings in "language" blocks are not allowed in override files. Place these settings in a normal configuration file.',
        block.defRange,
      ),
    );
    return [];
  }
  const { content, diagnostics: schemaProblems } = block.body.content(LANGUAGE_SCHEMA);
  diagnostics.push(...schemaProblems);
  const edition = content.attributes.get('edition');
  if (edition !== undefined) checkEdition(edition, diagnostics);
  const experiments = content.attributes.get('experiments');
  if (experiments !== undefined) checkExperiments(experiments, diagnostics);
  const required: VersionRequirement[] = [];
  for (const inner of content.blocks) {
    const [first] = required;
    if (first !== undefined) {
      diagnostics.push(
        errorDiagnostic(
          'Duplicate compatible_with block',
          `Each language block may have at most one compatible_with block referring to OpenTofu. The OpenTofu version constraint was already declared at ${first.range}.`,
          block.defRange,
        ),
      );
      continue;
    }
    const constraint = decodeCompatible(inner, diagnostics);
    if (constraint !== undefined) required.push(constraint);
  }
  return required;
}

function decodeCompatible(block: Block, diagnostics: Diagnostic[]): VersionRequirement | undefined {
  const { content, diagnostics: schemaProblems } = block.body.partialContent(COMPATIBLE_SCHEMA);
  diagnostics.push(...schemaProblems);
  const attribute = content.attributes.get('opentofu');
  if (attribute === undefined) return undefined;
  const text = decodeVersionConstraint(attribute, diagnostics);
  if (text === undefined) return undefined;
  if (parseVersionConstraint(text).allows?.(BEFORE_LANGUAGE_BLOCK) === true) {
    diagnostics.push(
      warningDiagnostic(
        'Ineffective version constraint',
        'The compatible_with block was added in OpenTofu v1.12.0, so any constraint specified this way should exclude earlier versions of OpenTofu, such as by including ">= 0.12.0".\n\nIf your module must be compatible with earlier versions of OpenTofu, use the required_version argument in a "terraform" block in a file named with the .tofu suffix, which is an older way to specify OpenTofu version constraints.',
        attribute.range,
      ),
    );
  }
  return { text, range: attribute.range, dialect: 'opentofu' };
}

function checkEdition({ expression }: Attribute, diagnostics: Diagnostic[]): void {
  const keyword = asKeyword(expression) ?? '';
  if (keyword === FIRST_EDITION) return;
  const fail = (summary: string, detail: string): void => {
    diagnostics.push(errorDiagnostic(summary, detail, expression.range));
  };
  if (keyword === '') {
    fail(
      'Invalid language edition',
      `The "edition" argument expects a bare language edition keyword. OpenTofu ${OPENTOFU_VERSION} supports only language edition ${FIRST_EDITION}, which is the default.`,
    );
  } else if (keyword.startsWith('TF')) {
    fail(
      'Unsupported language edition',
      `OpenTofu v${OPENTOFU_VERSION} does not support language edition "${FIRST_EDITION}". This module may be intended for use with other software.`,
    );
  } else {
    const relation = keyword > FIRST_EDITION ? 'newer' : 'different';
    fail(
      'Unsupported language edition',
      `OpenTofu v${OPENTOFU_VERSION} only supports language edition ${FIRST_EDITION}. This module requires a ${relation} version of OpenTofu CLI.`,
    );
  }
}

function checkExperiments({ expression }: Attribute, diagnostics: Diagnostic[]): void {
  for (const element of staticList(expression, diagnostics)) {
    const keyword = asKeyword(element) ?? '';
    diagnostics.push(
      keyword === ''
        ? errorDiagnostic(
            'Invalid experiment keyword',
            'Elements of "experiments" must all be keywords representing active experiments.',
            element.range,
          )
        : errorDiagnostic(
            'Unknown experiment keyword',
            `There is no current experiment with the keyword "${keyword}".`,
            element.range,
          ),
    );
  }
}
