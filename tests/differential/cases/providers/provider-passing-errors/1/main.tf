provider "random" { alias = "a" }
module "wants" {
  source = "./wants"
}
