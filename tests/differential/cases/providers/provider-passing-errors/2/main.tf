provider "random" { alias = "a" }
module "wants" {
  source = "./wants"
  providers = {
    random.main  = random.nope
    random.other = random.a
    null         = random.a
    "quoted"     = random.a
  }
}
