module "deep" {
  source = "./there/not/here"
}
