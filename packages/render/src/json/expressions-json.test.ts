import { listType, NUMBER, objectType, setType, STRING } from '@terrane/cty';
import { parseNative, Source } from '@terrane/hcl';
import type { BlockSchema } from '@terrane/provider';
import { describe, expect, test } from 'vitest';
import { bodyJson } from './expressions-json.ts';

// As the published provider for AWS has them: arguments that hold objects, which may be written as blocks.
const rule = objectType({ cidr_blocks: listType(STRING), port: NUMBER, protocol: STRING });
const securityGroup: BlockSchema = {
  attributes: {
    ingress: { type: setType(rule), optional: true, computed: true },
    egress: { type: setType(rule), optional: true, computed: true },
  },
  blocks: {},
};

// The `configuration` of a plan as Terraform 1.11.4 prints it.
describe('an argument that is written as blocks', () => {
  test('is a constant list where all its blocks are constant', () => {
    expect(shown('ingress { port = 80 }\ningress { protocol = "tcp" }')).toEqual({
      ingress: {
        constant_value: [
          { cidr_blocks: null, port: 80, protocol: null },
          { cidr_blocks: null, port: null, protocol: 'tcp' },
        ],
      },
    });
  });

  test('has the references of all its blocks', () => {
    expect(
      shown('ingress { cidr_blocks = [var.cidr] }\ningress { protocol = a.b.protocol }'),
    ).toEqual({ ingress: { references: ['var.cidr', 'a.b.protocol', 'a.b'] } });
  });

  test('is not shown where only a `dynamic` block makes it, nor where it is left out', () => {
    expect(shown('dynamic "egress" {\nfor_each = [1]\ncontent { port = 1 }\n}')).toBeUndefined();
  });

  test('is an expression if it is written as an argument', () => {
    expect(shown('egress = []')).toEqual({ egress: { constant_value: [] } });
  });
});

function shown(text: string): unknown {
  const { body } = parseNative(new Source('main.tf', text));
  const json = bodyJson(body, securityGroup);
  return json === undefined ? undefined : JSON.parse(json);
}
