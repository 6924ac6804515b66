/** Names of services in the block `endpoints`, with the older names of some (hashicorp/aws 6.25.0). */
export const ENDPOINT_NAMES: readonly string[] = `
  accessanalyzer account acm acmpca amg amp amplify apigateway apigatewayv2 appautoscaling appconfig appfabric
  appflow appintegrations appintegrationsservice applicationautoscaling applicationinsights applicationsignals
  appmesh appregistry apprunner appstream appsync arcregionswitch arczonalshift athena auditmanager autoscaling
  autoscalingplans backup batch bcmdataexports beanstalk bedrock bedrockagent bedrockagentcore billing budgets
  ce chatbot chime chimesdkmediapipelines chimesdkvoice cleanrooms cloud9 cloudcontrol cloudcontrolapi
  cloudformation cloudfront cloudfrontkeyvaluestore cloudhsm cloudhsmv2 cloudsearch cloudtrail cloudwatch
  cloudwatchevents cloudwatchevidently cloudwatchlog cloudwatchlogs cloudwatchobservabilityaccessmanager
  cloudwatchrum codeartifact codebuild codecatalyst codecommit codeconnections codedeploy codeguruprofiler
  codegurureviewer codepipeline codestarconnections codestarnotifications cognitoidentity
  cognitoidentityprovider cognitoidp comprehend computeoptimizer config configservice connect connectcases
  controltower costandusagereportservice costexplorer costoptimizationhub cur customerprofiles
  databasemigration databasemigrationservice databrew dataexchange datapipeline datasync datazone dax deploy
  detective devicefarm devopsguru directconnect directoryservice dlm dms docdb docdbelastic drs ds dsql
  dynamodb ec2 ecr ecrpublic ecs efs eks elasticache elasticbeanstalk elasticloadbalancing
  elasticloadbalancingv2 elasticsearch elasticsearchservice elastictranscoder elb elbv2 emr emrcontainers
  emrserverless es eventbridge events evidently evs finspace firehose fis fms fsx gamelift glacier
  globalaccelerator glue gluedatabrew grafana greengrass groundstation guardduty healthlake iam identitystore
  imagebuilder inspector inspector2 inspectorv2 internetmonitor invoicing iot ivs ivschat kafka kafkaconnect
  kendra keyspaces kinesis kinesisanalytics kinesisanalyticsv2 kinesisvideo kms lakeformation lambda
  launchwizard lex lexmodelbuilding lexmodelbuildingservice lexmodels lexmodelsv2 lexv2models licensemanager
  lightsail location locationservice logs m2 macie2 managedgrafana mediaconnect mediaconvert medialive
  mediapackage mediapackagev2 mediapackagevod mediastore memorydb mgn mq msk mwaa mwaaserverless neptune
  neptunegraph networkfirewall networkflowmonitor networkmanager networkmonitor notifications
  notificationscontacts oam observabilityadmin odb opensearch opensearchingestion opensearchserverless
  opensearchservice organizations osis outposts paymentcryptography pcaconnectorad pcs pinpoint
  pinpointsmsvoicev2 pipes polly pricing prometheus prometheusservice qbusiness qldb quicksight ram rbin rds
  rdsdata rdsdataservice recyclebin redshift redshiftdata redshiftdataapiservice redshiftserverless rekognition
  resiliencehub resourceexplorer2 resourcegroups resourcegroupstagging resourcegroupstaggingapi rolesanywhere
  route53 route53domains route53profiles route53recoverycontrolconfig route53recoveryreadiness route53resolver
  rum s3 s3api s3control s3outposts s3tables s3vectors sagemaker scheduler schemas secretsmanager securityhub
  securitylake serverlessapplicationrepository serverlessapprepo serverlessrepo servicecatalog
  servicecatalogappregistry servicediscovery servicequotas ses sesv2 sfn shield signer sns sqs ssm ssmcontacts
  ssmincidents ssmquicksetup ssmsap sso ssoadmin stepfunctions storagegateway sts swf synthetics taxsettings
  timestreaminfluxdb timestreamquery timestreamwrite transcribe transcribeservice transfer verifiedpermissions
  vpclattice waf wafregional wafv2 wellarchitected workmail workspaces workspacesweb xray
`
  .trim()
  .split(/\s+/);
