module "m" {
  source = "./m"
}
output "really" {
  value = module.m.really
}
