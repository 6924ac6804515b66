resource "terraform_data" "z_first" {}

resource "terraform_data" "m_second" {
  depends_on = [terraform_data.z_first]
}

resource "terraform_data" "a_third" {
  depends_on = [terraform_data.m_second]
  input      = true
}
