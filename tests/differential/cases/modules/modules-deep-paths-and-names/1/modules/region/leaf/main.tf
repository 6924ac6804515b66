variable "text" {}
resource "terraform_data" "r" { input = { text = var.text, module = path.module, root = path.root, base = basename(path.cwd) == basename(abspath(path.root)) } }
output "text" { value = terraform_data.r.output }
