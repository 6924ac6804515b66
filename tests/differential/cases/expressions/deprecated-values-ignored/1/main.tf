module "silenced" {
  source                     = "./m"
  count                      = 2
  ignore_nested_deprecations = true
}
locals {
  using_silenced_old = module.silenced[0].old
}
