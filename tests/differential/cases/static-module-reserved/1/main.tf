module "a" {
  source = "./x"
  lifecycle {}
  locals {}
  provider = null
  count = 1
  for_each = {}
  foo {}
}
