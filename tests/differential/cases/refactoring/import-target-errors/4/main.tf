import {
  to = terraform_data.missing["x"]
  id = "1"
}
