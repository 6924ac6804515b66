module "inner" {
  source = "../b"
}
