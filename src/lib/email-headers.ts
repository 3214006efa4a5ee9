/** What files call the column of e-mail addresses, in English, German, French and Spanish, folded to plain words. */
export const EMAIL_HEADERS =
  'email, e mail, mail, email address, e mail address, work email, business email, primary email, contact email, email 1, emailadresse, e mail adresse, mailadresse, mail adresse, adresse email, adresse e mail, adresse mail, courriel, correo, correo electronico, direccion de correo, direccion de correo electronico, email profesional, email professionnel'
