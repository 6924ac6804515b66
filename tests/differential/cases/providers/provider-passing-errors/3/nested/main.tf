module "inner" { source = "../own" }
