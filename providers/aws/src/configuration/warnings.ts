import type { Environment } from '@terrane/host';
import type { AwsSettings } from './settings.ts';

/** A warning about a valid configuration. */
export interface ConfigurationWarning {
  readonly summary: string;
  readonly detail: string;
  /** the argument that it is about */
  readonly at?: 'https_proxy' | 's3_us_east_1_regional_endpoint' | 'tag_policy_compliance';
}

/** Returns warnings about settings, worded as in the published provider if it has them. */
export function configurationWarnings(
  settings: AwsSettings,
  environment: Environment,
): readonly ConfigurationWarning[] {
  const variable = (name: string): string => environment.get(name) ?? '';
  const warnings: ConfigurationWarning[] = [];
  if (settings.s3GlobalEndpoint) {
    warnings.push({
      at: 's3_us_east_1_regional_endpoint',
      summary: 'Global S3 Endpoint Support Deprecated',
      detail:
        'Support for the global S3 endpoint is deprecated. Remove s3_us_east_1_regional_endpoint, or set it to "regional" to see that the endpoint of the region can be reached.',
    });
  }
  const { httpProxy = '', httpsProxy } = settings;
  const otherProxy = variable('HTTPS_PROXY') + variable('https_proxy');
  if (httpProxy !== '' && httpsProxy === undefined && otherProxy === '') {
    warnings.push({
      at: 'https_proxy',
      summary: 'Missing HTTPS Proxy',
      detail: `An HTTP proxy was set but no HTTPS proxy was. Using HTTP proxy ${JSON.stringify(withoutPassword(httpProxy))} for HTTPS requests. This behavior may change in future versions.\n\nTo specify no proxy for HTTPS, set the HTTPS to an empty string.`,
    });
  }
  if (variable('AWS_METADATA_URL') !== '') {
    warnings.push({
      summary: 'Deprecated Environment Variable',
      detail:
        'The environment variable "AWS_METADATA_URL" is deprecated. Use "AWS_EC2_METADATA_SERVICE_ENDPOINT" instead.',
    });
  }
  if (settings.tagPolicy !== 'disabled') {
    warnings.push({
      at: 'tag_policy_compliance',
      summary: 'Tag policies are not looked at',
      detail:
        'This provider does not check tags against the policies of the organization: tag_policy_compliance, and TF_AWS_TAG_POLICY_COMPLIANCE in the environment, have no effect.',
    });
  }
  return warnings;
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//***@');
}
