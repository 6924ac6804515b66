module "m" {
  source  = "./m"
  text    = 12.50
  number  = "0x10" == "" ? 1 : "7"
  flag    = "true"
  list    = ["a", 1, true]
  set     = ["b", "a", "b"]
  map     = { a = 1, b = "two" }
  object  = { name = "n", extra = "dropped", inner = { a = 5 } }
  objects = [{ name = "x" }, { name = "y", size = 3, labels = { k = "v" } }]
  tuple   = [1, "2", false]
  any     = { a = [1, "2"] }
  not_null = null
  maybe    = null
}

output "all" {
  value = module.m.all
}
