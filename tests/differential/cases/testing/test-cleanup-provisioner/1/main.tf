resource "terraform_data" "fails" {
  input = "a"
  provisioner "local-exec" {
    when    = destroy
    command = "exit 7"
  }
}
resource "terraform_data" "goes" {
  input = "b"
}
module "m" {
  source = "./m"
}
