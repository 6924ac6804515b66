module "missing" { source = "./nowhere" }
