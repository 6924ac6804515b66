module "absent" {
  source = "./nowhere"
}
