module "above" {
  source = "./a/../missing/b"
}
