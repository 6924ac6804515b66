import type { ServiceRules } from './rules.ts';

/** Resource types of Systems Manager. */
export const SSM: ServiceRules = {
  service: 'Systems Manager',
  types: [
    {
      type: 'aws_ssm_parameter',
      sources: [{ file: 'ssm/parameter.go', release: '5' }],
      subject: { written: (name) => ({ name, type: 'String', value: 'it' }) },
      rules: [],
      note: 'only the rules for all resource types; the published provider reads only new parameters of `aws:ec2:image` until they are found',
    },
  ],
};
