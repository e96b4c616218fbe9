% The gain of the best linear feedback for a pole on a cart, near the upright position. The pole is a mass at the end of
% a massless rod; the states are position and velocity of the cart, angle and rate of the pole.
function [gain, Q] = design (cart, pole, length, effort)
  g = 9.81;
  A = [0, 1, 0, 0
       0, 0, -pole * g / cart, 0
       0, 0, 0, 1
       0, 0, (cart + pole) * g / (cart * length), 0];
  B = [0; 1 / cart; 0; -1 / (cart * length)];
  Q = diag ([100, 0, 10, 0]);
  gain = lqr (A, B, Q, effort);
end
