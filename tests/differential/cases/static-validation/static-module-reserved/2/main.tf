module "a" { 
  source = "./x" 
  version = "1.0"
}
