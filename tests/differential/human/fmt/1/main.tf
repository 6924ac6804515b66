variable "a" {
type=string
  default   =   "x" # comment
}
resource "terraform_data" "r" {
  input = var.a
      triggers_replace = [ 1,2 ]
}
