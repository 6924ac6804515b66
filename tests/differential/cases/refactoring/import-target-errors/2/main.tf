import {
  to = terraform_data.missing
  id = "1"
}
