resource "terraform_data" "r" {
  input = { l = tolist([1, 2]), s = toset(["a", "b"]), m = tomap({ k = true }), o = { t = [1, "x"] }, e = {}, n = null }
}
