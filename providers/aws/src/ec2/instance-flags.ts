import type { InstanceAttribute, InstanceAttributeName } from '@aws-sdk/client-ec2';
import type { RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';

/** Requests the attributes of an instance that EC2 only returns one by one. */
export async function instanceFlags(
  aws: RegionalAws,
  id: string,
  state: {
    readonly get_password_data: boolean | null;
    readonly user_data: string | null;
    readonly user_data_base64: string | null;
  },
): Promise<{
  readonly disable_api_stop: boolean;
  readonly disable_api_termination: boolean;
  readonly instance_initiated_shutdown_behavior: string;
  readonly password_data: string;
  readonly user_data: string | null;
  readonly user_data_base64: string;
}> {
  const attribute = async (
    Attribute: InstanceAttributeName,
  ): Promise<Partial<InstanceAttribute>> => {
    try {
      return await aws.ec2.describeInstanceAttribute({ InstanceId: id, Attribute });
    } catch (error) {
      // Some regions and servers do not know all of them.
      if (hasCode(error, 'UnsupportedOperation', 'InvalidParameterValue')) return {};
      throw error;
    }
  };
  const [stop, termination, shutdown, data] = [
    await attribute('disableApiStop'),
    await attribute('disableApiTermination'),
    await attribute('instanceInitiatedShutdownBehavior'),
    await attribute('userData'),
  ];
  const encoded = data.UserData?.Value ?? '';
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  // In the configured form: base64 for binary data.
  const asBase64 = state.user_data === null && (state.user_data_base64 ?? '') !== '';
  return {
    disable_api_stop: stop.DisableApiStop?.Value ?? false,
    disable_api_termination: termination.DisableApiTermination?.Value ?? false,
    instance_initiated_shutdown_behavior: shutdown.InstanceInitiatedShutdownBehavior?.Value ?? '',
    password_data:
      state.get_password_data === true
        ? ((await aws.ec2.getPasswordData({ InstanceId: id })).PasswordData?.trim() ?? '')
        : '',
    user_data: asBase64 || text === '' ? null : text,
    user_data_base64: asBase64 ? encoded : '',
  };
}
