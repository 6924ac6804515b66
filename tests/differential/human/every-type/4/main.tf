resource "terraform_data" "types" {
  input = {
    string       = "other text"
    empty        = "not empty"
    number       = 2
    bool         = false
    null         = "no longer null"
    list         = ["a", "x", "b", "c"]
    empty_list   = ["new"]
    typed_list   = tolist(["y"])
    set          = toset(["m", "o"])
    map          = tomap({ k = "v2", "new key" = "w" })
    empty_map    = { a = 1 }
    object       = { a = 1, b = { c = ["d", { e = "g" }] }, z = "added" }
    list_of_maps = [{ name = "one", size = 1 }, { name = "two", size = 3 }, { name = "three", size = 3 }]
    multi        = "first line\nsecond line changed\nthird line\nfourth line\n"
    json         = jsonencode({ a = 2, b = ["x", "z"], c = { d = true }, e = null })
    quoted       = "with 'quotes'"
    large        = 123456789012345678901234567891
    third        = 2 / 3
  }
}

output "types" {
  value = terraform_data.types.input
}
