module "c" {
  source = "../x"
}
