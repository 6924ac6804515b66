module "j" {
  source = "./j"
  count  = 2
  n      = "${count.index}"
  o      = { a = count.index }
}
output "all" { value = module.j }
output "deep" { value = module.j[*].inner.native.path }
