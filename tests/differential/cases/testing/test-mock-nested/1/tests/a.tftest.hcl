mock_provider "tls" {
  mock_data "tls_certificate" {
    defaults = {
      certificates = [{ issuer = "me" }, { serial_number = 3 }]
    }
  }
}
run "one" {
  assert {
    condition     = output.n == 2 && data.tls_certificate.c.certificates[1].serial_number == "3" && data.tls_certificate.c.certificates[0].issuer == "me"
    error_message = jsonencode(data.tls_certificate.c)
  }
  assert {
    condition     = tls_self_signed_cert.s.ready_for_renewal == true
    error_message = "false is made up"
  }
}
