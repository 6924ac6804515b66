module "a" {
  source = "./x"
  locals {}
  provider = null
  count = 1
  for_each = {}
  foo {}
}
