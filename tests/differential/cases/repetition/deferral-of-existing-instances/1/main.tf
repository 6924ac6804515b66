variable "size" {
  default = 2
}

variable "kept" {
  default = 2
}

resource "terraform_data" "a" {
  input = var.size
}

resource "local_file" "many" {
  count    = terraform_data.a.output
  filename = "${path.module}/many-${count.index}.txt"
  content  = "many"
}

resource "terraform_data" "behind" {
  count      = var.kept
  input      = count.index
  depends_on = [local_file.many]
}

resource "terraform_data" "beside" {
  count = var.kept
  input = count.index
}

module "m" {
  source   = "./m"
  for_each = toset([for i in range(terraform_data.a.output) : "k${i}"])
  v        = each.key
}
