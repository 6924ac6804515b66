import fc from 'fast-check';
import { parseInstanceAddr, type InstanceAddr } from '@terrane/addresses';
import { expect, it } from 'vitest';
import { addressFilter, mayContain } from './address-filter.ts';

const instance = fc
  .tuple(
    fc.array(fc.constantFrom('module.a', 'module.b["x.y[0]"]', 'module.c[1]'), { maxLength: 3 }),
    fc.constantFrom('aws_vpc.main', 'data.aws_ami.x', 'terraform_data.a'),
    fc.option(fc.nat({ max: 999 }), { nil: undefined }),
  )
  .map(
    ([modules, resource, index]) =>
      `${[...modules, resource].join('.')}${index === undefined ? '' : `[${index}]`}`,
  );

function parsed(text: string): InstanceAddr {
  const { address } = parseInstanceAddr(text);
  if (address === undefined) throw new Error(`${text} is no address`);
  return address;
}

const filterOf = (instances: readonly string[]): string | undefined =>
  addressFilter(instances.map(parsed));

it('contains all instances, and the resources and modules that contain them', () => {
  fc.assert(
    fc.property(fc.array(instance, { minLength: 1, maxLength: 60 }), (instances) => {
      const filter = filterOf(instances) ?? '';
      for (const each of instances) {
        expect(mayContain(filter, each)).toBe(true);
        expect(mayContain(filter, each.replace(/\[\d+\]$/, ''))).toBe(true);
        const [, module = each] = /^(module\.\w+(?:\["x\.y\[0\]"\]|\[1\])?)\./.exec(each) ?? [];
        expect(mayContain(filter, module)).toBe(true);
      }
    }),
  );
});

it('contains few others', () => {
  const instances = Array.from({ length: 500 }, (_, index) => `aws_instance.a[${index}]`);
  const filter = filterOf(instances) ?? '';
  const others = Array.from({ length: 5000 }, (_, index) => `aws_instance.b[${index}]`);
  expect(others.filter((each) => mayContain(filter, each)).length).toBeLessThan(150);
});

it('is empty without addresses, and absent for very many', () => {
  expect(mayContain(filterOf([]) ?? '', 'a.b')).toBe(false);
  const many = Array.from({ length: 2000 }, (_, index) => `aws_instance.a[${index}]`);
  expect(filterOf(many)).toBeUndefined();
});

it('contains everything in another form', () => {
  expect(mayContain('AAAA', 'a.b')).toBe(true);
});
